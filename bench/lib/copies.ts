import { Calls } from '../../src/kernel/outbound/index.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { type CopyTally, copyFiles } from '../../src/services/datashare/copying/index.ts';
import { openStorage } from '../../src/services/datashare/storage/index.ts';

/** Relative to the folder of all accounts. */
export const SOURCE = 'provider/shared';
export const TARGET = 'consumer/received';

/** A full synchronization of everything in `SOURCE`. */
export async function copyContainer(store: Store, root: string, run: string): Promise<CopyTally> {
  const outbound = { send: () => Promise.reject(new Error('a folder sends nothing')) };
  const { tally } = await copyFiles(
    {
      ledger: 'bench',
      run,
      mode: 'FullSync',
      from: { account: 'provider', container: 'shared', select: { folder: '' } },
      to: { account: 'consumer', container: 'received', folder: '' },
    },
    {
      store,
      storage: openStorage({ root, accounts: {}, outbound, calls: new Calls() }),
      watch: { proceed: async () => true },
    },
  );
  return tally;
}
