import type { Jar } from '../../../kernel/service/index.ts';
import { deletingSlices, eq } from '../../../kernel/store/index.ts';
import { handleWork, runInSteps } from '../../../kernel/work/index.ts';
import { testers } from './collections.ts';
import { PURGE_GROUP } from './work.ts';

export const purgeGroup = handleWork(PURGE_GROUP, async (item, jar: Jar, halt) => {
  const { groupId } = item.payload;
  await runInSteps(item, jar, halt, [deletingSlices(jar.store, testers, { filter: eq('groupId', groupId) })]);
});
