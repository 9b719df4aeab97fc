import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { goOnLater } from '../go-on-later.ts';
import { PURGES } from './on-delete.ts';

/** So many documents are removed in one transaction, which others hardly notice. */
const SLICE = 500;

export const purgeApp: Pick<LegacyWork, 'run'> = {
  async run(item, jar, halt) {
    const { appId } = item.payload as { appId: string };
    for (const load of PURGES) {
      const purge = await load();
      for (;;) {
        if (halt.aborted) return goOnLater(item, jar);
        if ((await jar.store.transact((tx) => purge(tx, appId, SLICE))) < SLICE) break;
      }
    }
  },
};
