import { writeSync } from 'node:fs';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import { keepCompiled } from '../../support/keep-compiled.ts';
import { batches, batchOf, crashed } from './crash-collection.ts';

/** Writes as fast as possible until it is killed, and prints which writes were acknowledged. */
const WRITERS = 12;
const STDOUT = 1;

const [engine, address = '', life] = process.argv.slice(2);
const collections = [crashed];
const store =
  engine === 'PostgreSQL'
    ? await openPostgres({ url: address, collections })
    : await openSqlite({ file: address, collections });
keepCompiled();

if (!(await store.tables.definition(batches.name))) await store.transact((tx) => tx.tables.create(batches));

let next = 0;

async function write(): Promise<never> {
  for (;;) {
    const id = `${life}-${next++}`;
    const written = await store
      .transact(async (tx) => {
        await tx.put(crashed, id, { id, tags: [id] });
        await tx.tables.append(batches.name, batchOf(id));
        await tx.change({ source: 'test', kind: 'write', subject: id, outcome: 'Succeeded', at: 1, data: null });
        await tx.schedule({ id, kind: 'k', dueAt: 1, payload: null });
        if (next % 10 === 0) throw new Error('taken back');
      })
      .then(
        () => true,
        () => false,
      );
    // Written directly to the pipe, so that the output arrives before the process dies.
    if (written) writeSync(STDOUT, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, write));
