import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { linesOf, partsOf, readLine } from '../../../src/kernel/snapshots/content.ts';
import type { ChangeRow, StatePart, TableRow, WorkRow } from '../../../src/kernel/store/types.ts';
import { engines } from '../store/contract/engines.ts';
import { items, type Opened, openSnapshots } from './open-snapshots.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';

const text = fc.string({ unit: 'binary' });
const name = fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/);
const json = fc.jsonValue().map((value) => JSON.stringify(value));
const work: fc.Arbitrary<WorkRow> = fc.record({
  id: text,
  seq: fc.nat(),
  kind: text,
  due_at: fc.integer(),
  payload: json,
  attempts: fc.nat(),
  state: fc.constantFrom(0, 2),
  reason: fc.option(text),
});
const change: fc.Arbitrary<ChangeRow> = fc.tuple(
  fc.nat().map((n) => n + 1),
  text,
  text,
  text,
  text,
  fc.integer(),
  json,
);
const cell = fc.option(
  fc.oneof(
    text,
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0),
  ),
);
const row: fc.Arbitrary<TableRow> = fc.tuple(fc.nat(), fc.array(cell)).map(([number, cells]) => [number + 1, ...cells]);
const part: fc.Arbitrary<StatePart> = fc.oneof(
  fc.record({
    of: fc.constant('documents' as const),
    collection: name,
    rows: fc.array(fc.tuple(text, text, json), { minLength: 1 }),
  }),
  fc.record({
    of: fc.constant('rows' as const),
    table: text,
    rows: fc.array(row, { minLength: 1 }),
  }),
  fc.record({ of: fc.constant('work' as const), rows: fc.array(work, { minLength: 1 }) }),
  fc.record({ of: fc.constant('changes' as const), rows: fc.array(change, { minLength: 1 }) }),
);

test('whatever is in a part comes out of its lines again, a line for each row', () => {
  fc.assert(
    fc.property(part, (given) => {
      const lines = linesOf(given).split('\n').slice(0, -1);
      expect(lines).toHaveLength(given.rows.length);
      for (const line of lines) JSON.parse(line);
      expect(partsOf(lines.map((line) => readLine(line)!))).toEqual([given]);
    }),
    { numRuns: SOAK ? 5000 : 500 },
  );
});

type Step =
  | { readonly do: 'put'; readonly key: string; readonly note: string }
  | { readonly do: 'delete'; readonly key: string }
  | { readonly do: 'schedule'; readonly key: string; readonly dueAt: number }
  | { readonly do: 'cancel'; readonly key: string }
  | { readonly do: 'move'; readonly by: number }
  | { readonly do: 'save' | 'restore'; readonly name: string };

const key = fc.constantFrom('a', 'b', 'c', 'ä', '😀', '"');
const snapshotName = fc.constantFrom('one', 'two');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('put' as const), key, note: text }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('schedule' as const), key, dueAt: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ do: fc.constant('cancel' as const), key }),
  fc.record({ do: fc.constant('move' as const), by: fc.integer({ min: 0, max: 1000 }) }),
  fc.record({ do: fc.constantFrom('save' as const, 'restore' as const), name: snapshotName }),
);

/** All observable state. */
async function seen({ store, clock }: Opened): Promise<unknown> {
  const documents = await store.query(items, { limit: 100 });
  const work = await store.capture([], async (parts) => {
    const rows: WorkRow[] = [];
    for await (const each of parts) if (each.of === 'work') rows.push(...each.rows);
    return rows;
  });
  return { documents: documents.items, work, now: clock.now() };
}

async function take(opened: Opened, kept: Map<string, unknown>, each: Step): Promise<void> {
  const { store, clock, snapshots } = opened;
  if (each.do === 'put') {
    await store.transact((tx) => tx.put(items, each.key, { generation: each.key, note: each.note }));
  } else if (each.do === 'delete') await store.transact((tx) => tx.delete(items, each.key));
  else if (each.do === 'schedule') {
    await store.transact((tx) => tx.schedule({ id: each.key, kind: 'k', dueAt: each.dueAt, payload: each.key }));
  } else if (each.do === 'cancel') await store.transact((tx) => tx.cancel(each.key));
  else if (each.do === 'move') await clock.moveTo(clock.now() + each.by);
  else if (each.do === 'save') {
    kept.set(each.name, await seen(opened));
    await snapshots.save(each.name);
  } else if (kept.has(each.name)) {
    await snapshots.restore(each.name);
    expect(await seen(opened)).toEqual(kept.get(each.name));
  } else await expect(snapshots.restore(each.name)).rejects.toMatchObject({ code: 'SnapshotNotFound' });
}

test.for(engines.map((engine) => [engine.name, engine] as const))(
  '%s: however states follow each other, a restore gives the one that was saved',
  { timeout: 600_000 },
  async ([, engine], context) => {
    const { address } = await engine.place(context);
    const opened = await openSnapshots(engine.name, address);
    onTestFinished(() => opened.close());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const kept = new Map<string, unknown>();
        for (const { name: old } of await opened.snapshots.list()) await opened.snapshots.delete(old);
        await opened.store.wipe(async (tx) => void (await opened.clock.reset(tx)));
        for (const each of steps) await take(opened, kept, each);
        for (const last of kept.keys()) await take(opened, kept, { do: 'restore', name: last });
      }),
      { numRuns: (SOAK ? 10 : 1) * (engine.shared ? 5 : 20) },
    );
  },
);
