import { writeSync } from 'node:fs';
import { Calls } from '../../../../src/kernel/outbound/index.ts';
import { openPostgres, openSqlite } from '../../../../src/kernel/store/index.ts';
import { copyCollections, copyFiles } from '../../../../src/services/datashare/copying/index.ts';
import { openStorage, type Storage } from '../../../../src/services/datashare/storage/index.ts';
import { keepCompiled } from '../../../support/keep-compiled.ts';

/** Executes or resumes a run; prints the pieces it reads and the result, unless it is killed before. */
const STDOUT = 1;

const [engine, address = '', root = '', run = '', mode = ''] = process.argv.slice(2);
const collections = copyCollections;
const store =
  engine === 'PostgreSQL'
    ? await openPostgres({ url: address, collections })
    : await openSqlite({ file: address, collections });
keepCompiled();

// Written synchronously to the pipe, so that output is complete before the process dies.
const say = (...words: readonly (string | number)[]): void => void writeSync(STDOUT, `${words.join(' ')}\n`);

/** A storage that prints every read. */
function talking(storage: Storage): Storage {
  return {
    account(name) {
      const files = storage.account(name);
      const open = files.open.bind(files);
      files.open = async (container, file) => {
        const reader = await open(container, file);
        return {
          read(offset, into) {
            say('read', file.name, offset);
            return reader.read(offset, into);
          },
          close: () => reader.close(),
        };
      };
      return files;
    },
  };
}

const outbound = { send: () => Promise.reject(new Error('a folder sends nothing')) };
const storage = talking(openStorage({ root, accounts: {}, outbound, calls: new Calls() }));
say('ready');
const result = await copyFiles(
  {
    ledger: 'mapping',
    run,
    mode: mode === 'Incremental' ? mode : 'FullSync',
    from: { account: 'provider', container: 'shared', select: { folder: '' } },
    to: { account: 'consumer', container: 'received', folder: '' },
  },
  { store, storage, watch: { proceed: async () => true } },
);
say('done', JSON.stringify(result.tally));
await store.close();
