import type { Jar } from '../../../kernel/service/index.ts';
import { deletionSteps, eq } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { testers } from './collections.ts';
import { PURGE_GROUP } from './work.ts';

export const purgeGroup = workHandler(PURGE_GROUP, async (item, jar: Jar, halt) => {
  const { groupId } = item.payload;
  await runInSteps(item, jar, halt, [deletionSteps(jar.store, testers, { filter: eq('groupId', groupId) })]);
});
