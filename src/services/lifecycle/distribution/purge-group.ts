import type { Jar } from '../../../kernel/service/jar.ts';
import { deletingSlices } from '../../../kernel/store/delete-some.ts';
import { eq } from '../../../kernel/store/filters.ts';
import { handleWork } from '../../../kernel/work/kind.ts';
import { runInSteps } from '../../../kernel/work/steps.ts';
import { testers } from './collections.ts';
import { PURGE_GROUP } from './work.ts';

export const purgeGroup = handleWork(PURGE_GROUP, async (item, jar: Jar, halt) => {
  const { groupId } = item.payload;
  await runInSteps(item, jar, halt, [deletingSlices(jar.store, testers, { filter: eq('groupId', groupId) })]);
});
