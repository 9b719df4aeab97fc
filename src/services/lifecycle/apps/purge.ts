import { SLICE } from '../../../kernel/store/delete-some.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { runInSteps } from '../../../kernel/work/steps.ts';
import { PURGES } from './on-delete.ts';

export const purgeApp: Pick<LegacyWork, 'run'> = {
  async run(item, jar, halt) {
    const { appId } = item.payload as { appId: string };
    await runInSteps(
      item,
      jar,
      halt,
      PURGES.map((load) => async () => {
        const purge = await load();
        return (await jar.store.transact((tx) => purge(tx, appId, SLICE))) >= SLICE;
      }),
    );
  },
};
