import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openClock } from '../../../src/kernel/clock/clock.ts';
import { clockCollection } from '../../../src/kernel/clock/position.ts';
import type { JarClock } from '../../../src/kernel/clock/types.ts';
import { walkSome } from '../../../src/kernel/odata/index.ts';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store, Tx } from '../../../src/kernel/store/types.ts';
import { openTraces } from '../../../src/kernel/traces/note.ts';
import { pruneTraces } from '../../../src/kernel/traces/prune.ts';
import { newestTraces, traceById, traceId } from '../../../src/kernel/traces/read.ts';
import type { TracePage } from '../../../src/kernel/traces/types.ts';
import { defineWork } from '../../../src/kernel/work/kind.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';

interface Note {
  readonly n: number;
}

const pages = collection<TracePage<Note>>('test.traces');
const collections = [clockCollection, pages];
const PRUNE = defineWork<{ readonly kept: number }>('test.prune');

const engines = [
  { name: 'sqlite', open: () => openSqlite({ collections }) },
  {
    name: 'postgres',
    open: async (context: Parameters<typeof useEmptyDatabase>[0]) =>
      openPostgres({ collections, url: await useEmptyDatabase(context, 'traces') }),
  },
];

const numbers = (from: number, to: number): Note[] => Array.from({ length: to - from }, (_, i) => ({ n: from + i }));

describe.each(engines)('$name: traces', ({ open }) => {
  let store: Store;
  let clock: JarClock;

  beforeEach(async (context) => {
    store = await open(context);
    clock = await openClock({ mode: 'virtual', start: 1_000_000_000_000, store });
  });

  afterEach(() => store.close());

  const noteKeeping = (kept: number) => {
    const traces = openTraces({ pages, pruning: PRUNE, kept, clock });
    return (tx: Tx, noted: readonly Note[]) => traces.note(tx, noted);
  };
  const listed = async (after?: string, wanted: (note: Note) => boolean = () => true) => {
    const found = [];
    const walk = walkSome(newestTraces(store, pages), ({ trace }) => wanted(trace));
    for await (const { value } of walk(after)) found.push(value);
    return found;
  };

  it('are read from the newest to the oldest, page after page, each once', async () => {
    const note = noteKeeping(1000);
    await store.transact((tx) => note(tx, numbers(0, 250)));
    await store.transact((tx) => note(tx, numbers(250, 253)));
    const seen: number[] = [];
    for (let after: string | undefined; ; ) {
      const page = (await listed(after, ({ n }) => n % 2 === 0)).slice(0, 7);
      if (page.length === 0) break;
      seen.push(...page.map(({ trace }) => trace.n));
      after = traceId(page.at(-1)!.place);
    }
    const even = numbers(0, 253).map(({ n }) => n);
    expect(seen).toEqual(even.filter((n) => n % 2 === 0).reverse());
  });

  it('are found by their ids', async () => {
    await store.transact((tx) => noteKeeping(10)(tx, numbers(0, 3)));
    for (const placed of await listed()) {
      expect(await traceById(store, pages, traceId(placed.place))).toEqual(placed);
    }
  });

  it.each(['', '.', 'x', 'x.0', 'x.-1', 'x.1e3', 'x.0.0', "'.0"])('are not found by %j', async (id) => {
    await store.transact((tx) => noteKeeping(10)(tx, numbers(0, 3)));
    expect(await traceById(store, pages, id)).toBeUndefined();
  });

  it('of a transaction with more than are kept are its last ones', async () => {
    await store.transact((tx) => noteKeeping(3)(tx, numbers(0, 500)));
    expect((await listed()).map(({ trace }) => trace.n)).toEqual([499, 498, 497]);
  });

  it('are not noted where none are kept', async () => {
    await store.transact((tx) => noteKeeping(0)(tx, numbers(0, 5)));
    expect(await listed()).toEqual([]);
  });

  it('that are the oldest go first, by whole pages, and never one of those that are kept', async () => {
    const note = noteKeeping(1000);
    for (let n = 0; n < 90; n += 2) await store.transact((tx) => note(tx, numbers(n, n + 2)));
    await pruneTraces(store, pages, 45, new AbortController().signal);
    expect((await listed()).map(({ trace }) => trace.n)).toEqual(
      numbers(44, 90)
        .map(({ n }) => n)
        .reverse(),
    );
  });

  it('are pruned after as many new ones as are kept, and at least a thousand', async () => {
    const note = noteKeeping(600);
    const woken = async () => (await store.work.stats()).waiting > 0;
    await store.transact((tx) => note(tx, numbers(0, 600)));
    expect(await woken()).toBe(false);
    await store.transact((tx) => note(tx, numbers(600, 1000)));
    expect(await woken()).toBe(true);
  });
});
