import type { Jar } from '../../../kernel/service/index.ts';
import { SLICE } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { PURGES } from './on-delete.ts';
import { PURGE_APP } from './work.ts';

export const purgeApp = workHandler(PURGE_APP, async (item, jar: Jar, halt) => {
  const { appId } = item.payload;
  const steps = PURGES.map((purge) => async () => (await jar.store.transact((tx) => purge(tx, appId, SLICE))) >= SLICE);
  await runInSteps(item, jar, halt, steps);
});
