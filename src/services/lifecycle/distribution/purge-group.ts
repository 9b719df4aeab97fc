import { deletingSlices } from '../../../kernel/store/delete-some.ts';
import { eq } from '../../../kernel/store/filters.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { runInSteps } from '../../../kernel/work/steps.ts';
import { testers } from './collections.ts';

export const purgeGroup: Pick<LegacyWork, 'run'> = {
  async run(item, jar, halt) {
    const { groupId } = item.payload as { groupId: string };
    await runInSteps(item, jar, halt, [deletingSlices(jar.store, testers, { filter: eq('groupId', groupId) })]);
  },
};
