import { join } from 'node:path';
import { Calls } from '../../../../src/kernel/outbound/index.ts';
import { openSqlite } from '../../../../src/kernel/store/index.ts';
import { copyCollections, copyFiles } from '../../../../src/services/datashare/copying/index.ts';
import { openStorage } from '../../../../src/services/datashare/storage/index.ts';
import { peakMemoryOf } from '../../../support/process-memory.ts';

/** Copies a provider's container and prints the memory used. */
const [root = ''] = process.argv.slice(2);
const store = await openSqlite({ file: join(root, 'jar.db'), collections: copyCollections });
const outbound = { send: () => Promise.reject(new Error('a folder sends nothing')) };
const storage = openStorage({ root, accounts: {}, outbound, calls: new Calls() });
const copy = (run: string, container: string) =>
  copyFiles(
    {
      ledger: container,
      run,
      mode: 'FullSync',
      from: { account: 'provider', container, select: { folder: '' } },
      to: { account: 'consumer', container, folder: '' },
    },
    { store, storage, watch: { proceed: async () => true } },
  );

const idle = peakMemoryOf(process.pid);
const { tally } = await copy('one', 'shared');
const most = peakMemoryOf(process.pid);
await store.close();
process.stdout.write(JSON.stringify({ idle, most, sizeWritten: tally.sizeWritten }));
