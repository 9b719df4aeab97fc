import { expect, test } from 'vitest';
import type { Store } from '../../../src/kernel/store/types.ts';
import { blocksOf } from '../../docs/examples.ts';
import { engines, openNew } from './contract/engines.ts';

const AsyncFunction: new (...parts: string[]) => (store: Store) => Promise<unknown> = Object.getPrototypeOf(
  async () => {},
).constructor;

test.for(engines.map((engine) => [engine.name, engine] as const))(
  '%s: the example of typed tables does what its page says',
  async ([, engine], context) => {
    const store = await openNew(engine, context);
    const example = (await blocksOf('docs/storage.md')).find(({ code }) => code.includes('tx.tables.create'));
    const run = new AsyncFunction('store', `${example?.code}\nreturn rows;`);
    expect(await run(store)).toEqual([['Berlin', 155_000]]);
  },
);
