import fc from 'fast-check';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { clockCollection, openClock } from '../../../src/kernel/clock/index.ts';
import { type Faults, faultCollections, openFaults } from '../../../src/kernel/faults/index.ts';
import { firesOn, type NewFaultRule } from '../../../src/kernel/faults/rule.ts';
import type { FaultSubject } from '../../../src/kernel/faults/subject.ts';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';

const collections = [clockCollection, ...faultCollections];
const SOAK = process.env.CLOUDJAR_SOAK === '1';

const ENGINES = [
  { name: 'sqlite', runs: SOAK ? 1000 : 100, open: () => openSqlite({ collections }) },
  {
    name: 'postgres',
    runs: SOAK ? 100 : 10,
    open: async (context: Pick<TestContext, 'skip'>) =>
      openPostgres({ collections, url: await useEmptyDatabase(context, 'faults'), report: () => {} }),
  },
];

async function faultsOn(store: Store): Promise<Faults> {
  const clock = await openClock({ mode: 'virtual', start: 0, store });
  return openFaults({ store, clock, log: createLogger({ level: 'silent' }), metrics: createMetrics() });
}

const PATHS = ['/a', '/b', '/a/b'];
const ruleOf = fc
  .record({
    path: fc.constantFrom(undefined, '/a*', '/b', '*b', '/never'),
    when: fc.oneof(
      fc.constant({}),
      fc.record({ count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ nth: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ every: fc.integer({ min: 1, max: 4 }), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), seed: fc.integer() }),
    ),
  })
  .map(
    ({ path, when }): NewFaultRule => ({
      match: { direction: 'inbound', ...(path !== undefined && { path }) },
      effect: { status: 500 },
      ...when,
    }),
  );

const subjectOf = (path: string): FaultSubject => ({ direction: 'inbound', service: 's', method: 'GET', path });
/** The meaning of the patterns above, implemented independently. */
const isAbout = ({ match: { path } }: NewFaultRule, asked: string): boolean =>
  path === undefined ||
  (path === '/a*' && asked.startsWith('/a')) ||
  (path === '/b' && asked === '/b') ||
  (path === '*b' && asked.endsWith('b'));

/** The rules as documented: each counts, the first that fires takes effect, an exhausted one does neither. */
function predict(rules: readonly NewFaultRule[], paths: readonly string[]) {
  const counts = rules.map(() => ({ matched: 0, hits: 0 }));
  const isUsedUp = (i: number): boolean =>
    counts[i]!.hits >= (rules[i]!.count ?? Number.POSITIVE_INFINITY) ||
    counts[i]!.matched >= (rules[i]!.nth ?? Number.POSITIVE_INFINITY);
  const struck = paths.map((path) => {
    let acting: number | undefined;
    for (const [i, rule] of rules.entries()) {
      if (isUsedUp(i) || !isAbout(rule, path)) continue;
      counts[i]!.matched += 1;
      if (acting !== undefined || !firesOn(rule, counts[i]!.matched)) continue;
      acting = i;
      counts[i]!.hits += 1;
    }
    return acting;
  });
  return { struck, counts, armed: rules.some((_, i) => !isUsedUp(i)) };
}

describe.each(ENGINES)('$name: any rules', ({ runs, open }) => {
  test('fire as documented, one request after another', async (context) => {
    const store = await open(context);
    onTestFinished(() => store.close());
    const faults = await faultsOn(store);
    const requests = fc.array(fc.constantFrom(...PATHS), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(ruleOf, { maxLength: 5 }), requests, async (rules, paths) => {
        await faults.removeAll();
        const ids: string[] = [];
        for (const rule of rules) ids.push((await faults.add(rule)).rule.id);
        const struck: (number | undefined)[] = [];
        for (const path of paths) {
          const found = await faults.strike(subjectOf(path));
          struck.push(found && ids.indexOf(found.rule));
        }
        const expected = predict(rules, paths);
        expect(struck).toEqual(expected.struck);
        const listed = await faults.list();
        expect(listed.map(({ counts: { matched, hits } }) => ({ matched, hits }))).toEqual(expected.counts);
        expect(faults.armed).toBe(expected.armed);
      }),
      { numRuns: runs },
    );
  });

  test('add up however many come at once', async (context) => {
    const store = await open(context);
    onTestFinished(() => store.close());
    const faults = await faultsOn(store);
    await fc.assert(
      fc.asyncProperty(fc.array(ruleOf, { minLength: 1, maxLength: 4 }), async (rules) => {
        await faults.removeAll();
        const ids: string[] = [];
        for (const rule of rules) ids.push((await faults.add(rule)).rule.id);
        // All equal, so that their order does not matter.
        const paths = Array.from({ length: 30 }, () => '/a/b');
        const found = await Promise.all(paths.map((path) => faults.strike(subjectOf(path))));
        const expected = predict(rules, paths);
        expect((await faults.list()).map(({ counts: { matched, hits } }) => ({ matched, hits }))).toEqual(
          expected.counts,
        );
        for (const [i, id] of ids.entries())
          expect(found.filter((each) => each?.rule === id)).toHaveLength(expected.counts[i]!.hits);
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
  });
});
