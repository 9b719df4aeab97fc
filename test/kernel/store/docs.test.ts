import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { collection, number, text } from '../../../src/kernel/store/collection.ts';
import type { Collection, Store } from '../../../src/kernel/store/types.ts';
import { blocksOf } from '../../docs/examples.ts';
import { engines, openNew } from './contract/engines.ts';

const AsyncFunction: new (...parts: string[]) => (...args: unknown[]) => Promise<unknown> = Object.getPrototypeOf(
  async () => {},
).constructor;

test.for(engines.map((engine) => [engine.name, engine] as const))(
  '%s: the example of typed tables does what its page says',
  async ([, engine], context) => {
    const store = await openNew(engine, context);
    const example = (await blocksOf('docs/contributing/storage.md')).find(({ code }) =>
      code.includes('tx.tables.create'),
    );
    const run = new AsyncFunction('store', `${example?.code}\nreturn rows;`);
    expect(await run(store)).toEqual([['Berlin', 155_000]]);
  },
);

test.for(engines.map((engine) => [engine.name, engine] as const))(
  '%s: the example of full text does what its page says',
  async ([, engine], context) => {
    const place = await engine.place(context);
    const example = (await blocksOf('docs/contributing/storage.md')).find(({ code }) => code.includes("op: 'matches'"));
    // The documents are inserted between the declaration and the query.
    const [declaration = '', query = ''] = stripTypeScriptTypes(example?.code ?? '').split(/^(?=const page)/m);
    const run = new AsyncFunction(
      'collection, text, number, filled',
      `${declaration}\nconst store = await filled(letters);\n${query}\nreturn page.items.map(({ key }) => key);`,
    );
    const filled = async (letters: Collection<object>): Promise<Store> => {
      const store = await place.open([letters]);
      await store.transact(async (tx) => {
        await tx.put(letters, 'older', { box: 'ada', at: 1, subject: 'Quarterly report' });
        await tx.put(letters, 'newer', { box: 'ada', at: 2, body: 'the quarterly reports' });
        await tx.put(letters, 'other', { box: 'ada', at: 3, to: ['quarterly report'] });
        await tx.put(letters, 'hers', { box: 'bob', at: 4, subject: 'Quarterly report' });
      });
      return store;
    };
    expect(await run(collection, text, number, filled)).toEqual(['newer', 'older']);
  },
);
