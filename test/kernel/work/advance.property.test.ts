import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engines } from './engines.ts';
import { bench, noting, type Ran, START, scheduleAll } from './harness.ts';

const kind = fc.constantFrom('a', 'b', 'c');
const delay = fc.integer({ min: 0, max: 50 });
/** The items to schedule, and the items that these schedule when they run. */
const plan = fc.record({ kind, delay, causes: fc.array(fc.record({ kind, delay }), { maxLength: 2 }) });
const step = fc.record({ schedule: fc.array(plan, { maxLength: 6 }), advance: fc.integer({ min: 0, max: 40 }) });

describe.each(engines)('$name:', ({ name, open }) => {
  test('whatever is scheduled and however time is moved, work runs once, in due order, at its own time', async (context) => {
    const store = await open(context);
    await fc
      .assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          await store.wipe(async () => {});
          const ran: Ran[] = [];
          const expected: { kind: string; dueAt: number }[] = [];
          const handler = noting(ran, async (item, jar) => {
            const causes = (item.payload as { kind: string; delay: number }[]) ?? [];
            await scheduleAll(
              jar.store,
              causes.map((next) => ({ kind: next.kind, dueAt: item.dueAt + next.delay, payload: [] })),
            );
          });
          const jar = await bench({ store, handlers: { a: handler, b: handler, c: handler } });
          try {
            for (const { schedule, advance } of steps) {
              const now = jar.clock.now();
              for (const each of schedule) {
                const dueAt = now + each.delay;
                expected.push({ kind: each.kind, dueAt });
                for (const next of each.causes) expected.push({ kind: next.kind, dueAt: dueAt + next.delay });
              }
              await jar.schedule(
                ...schedule.map((each) => ({ kind: each.kind, dueAt: now + each.delay, payload: each.causes })),
              );
              const result = await jar.advance(advance);
              expect(result.now).toBe(now + advance);
            }
            const end = jar.clock.now();
            expect(ran.map((each) => each.at)).toEqual(ran.map((each) => each.dueAt));
            expect(ran.map((each) => each.dueAt)).toEqual(ran.map((each) => each.dueAt).toSorted((x, y) => x - y));
            const due = expected.filter((each) => each.dueAt <= end);
            const sorted = (list: readonly { kind: string; dueAt: number }[]): string[] =>
              list.map((each) => `${each.dueAt - START} ${each.kind}`).toSorted();
            expect(sorted(ran)).toEqual(sorted(due));
          } finally {
            await jar.close();
          }
        }),
        { numRuns: name === 'sqlite' ? 100 : 15 },
      )
      .finally(() => store.close());
  });
});
