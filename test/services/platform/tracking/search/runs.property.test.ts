import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../../src/kernel/store/index.ts';
import { type MetricValue, TRACKING_COLLECTIONS } from '../../../../../src/services/platform/tracking/collections.ts';
import { RUNS } from '../../../../../src/services/platform/tracking/search/languages/runs.ts';
import { parseFilter } from '../../../../../src/services/platform/tracking/search/parse-filter.ts';
import { parseOrder } from '../../../../../src/services/platform/tracking/search/parse-order.ts';
import { runScope, SEARCHED_RUNS } from '../../../../../src/services/platform/tracking/search/runs-search.ts';
import { searchPage, type Tuning } from '../../../../../src/services/platform/tracking/search/search.ts';
import type { Place } from '../../../../../src/services/platform/tracking/search/sort.ts';
import { engines } from '../../../../kernel/store/contract/engines.ts';
import { holds, inOrder, type SampleRun } from './brute-force.ts';
import { putSamples, WORKSPACE } from './samples.ts';

const LONG_TEXT = 'x'.repeat(70);
/** An index has the first 64 units of a text: these are cut within their last character. */
const CUT_TEXTS = ['😀', '𐐀', '😀a', '�'].map((end) => `${'x'.repeat(63)}${end}`);
const TEXTS = [
  ...['', 'a', 'A', 'b', 'ab', 'a%', 'a_b', "it''s", '😀', 'ß', 'İ', 'Ä', 'a\\b', 'a\0b', ' a '],
  ...[LONG_TEXT, `${LONG_TEXT}y`, `${LONG_TEXT}Y`],
  ...CUT_TEXTS,
];
const texts = fc.constantFrom(...TEXTS);
const numbers = fc.constantFrom<MetricValue>(0, 1, -1.5, 2, 1e300, 'NaN', 'Infinity', '-Infinity');
const names = fc.constantFrom('x', 'y', 'a b', 'p/q');

const runs: fc.Arbitrary<readonly SampleRun[]> = fc
  .array(
    fc.record({
      experiment: fc.constantFrom('7', '8'),
      name: fc.constantFrom('one', 'two', 'Two'),
      userId: fc.constantFrom('ada', 'bob'),
      status: fc.constantFrom('RUNNING', 'FINISHED', 'FAILED'),
      startTime: fc.constantFrom(1, 2, 2, 3),
      endTime: fc.option(fc.constantFrom(5, 6), { nil: undefined }),
      deleted: fc.boolean(),
      metrics: fc.dictionary(names, numbers, { maxKeys: 3 }),
      params: fc.dictionary(names, texts, { maxKeys: 3 }),
      tags: fc.dictionary(names, texts, { maxKeys: 3 }),
      datasets: fc.array(
        fc.record(
          { name: texts, digest: fc.constantFrom('d1', 'd2'), context: fc.constantFrom('train', 'eval') },
          { requiredKeys: ['name', 'digest'] },
        ),
        { maxLength: 2 },
      ),
    }),
    { minLength: 25, maxLength: 40 },
  )
  .map((list) => list.map((run, i) => ({ ...run, id: `${(i * 7919) % 1000}`.padStart(4, 'r') })));

const quote = (text: string) => `'${text}'`;
const key = (name: string) => (/^\w+$/.test(name) ? name : `\`${name}\``);
const list = fc.array(texts, { minLength: 1, maxLength: 3 }).map((values) => `(${values.map(quote).join(', ')})`);
const textual = fc.oneof(
  fc.tuple(fc.constantFrom('=', '!='), texts.map(quote)).map(([op, value]) => `${op} ${value}`),
  fc
    .tuple(
      fc.constantFrom('LIKE', 'ilike'),
      fc.array(fc.constantFrom('a', 'A', 'x', '%', '_', 'y', '😀', 'ß', 'i', 'ä', '\\', '\0'), { maxLength: 4 }),
    )
    .map(([op, parts]) => `${op} '${parts.join('')}'`),
);
const numeric = fc
  .tuple(fc.constantFrom('=', '!=', '<', '<=', '>', '>='), fc.constantFrom('0', '1', '-1.5', '2', '1e300', '5'))
  .map(([op, value]) => `${op} ${value}`);
const absence = fc.constantFrom('IS NULL', 'is not null');

const comparison = fc.oneof(
  fc.tuple(names, numeric).map(([name, test]) => `metrics.${key(name)} ${test}`),
  fc
    .tuple(fc.constantFrom('params', 'tags'), names, fc.oneof(textual, absence))
    .map(([entity, name, test]) => `${entity}.${key(name)} ${test}`),
  fc
    .tuple(fc.constantFrom('status', 'run_name', 'user_id'), fc.constantFrom("= 'FINISHED'", "!= 'one'", "ILIKE 't%'"))
    .map((parts) => parts.join(' ')),
  fc.tuple(fc.constantFrom('start_time', 'end_time'), numeric).map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('IN', 'NOT IN'), fc.constantFrom("('r000', 'r919')", "('r838')"))
    .map(([op, ids]) => `run_id ${op} ${ids}`),
  fc
    .tuple(
      fc.constantFrom('name', 'digest', 'context'),
      fc.oneof(
        textual,
        list.map((values) => `IN ${values}`),
        list.map((values) => `NOT IN ${values}`),
      ),
    )
    .map(([field, test]) => `dataset.${field} ${test}`),
);
const filters = fc.array(comparison, { maxLength: 3 }).map((parts) => parts.join(' AND '));

const orders = fc.uniqueArray(
  fc
    .tuple(
      fc.oneof(
        fc.tuple(fc.constantFrom('metrics', 'params', 'tags'), names).map(([entity, name]) => `${entity}.${key(name)}`),
        fc.constantFrom('start_time', 'end_time', 'run_name', 'status', 'user_id', 'run_id', 'artifact_uri'),
      ),
      fc.constantFrom('', ' ASC', ' DESC'),
    )
    .map((parts) => parts.join('')),
  { maxLength: 2, selector: (clause) => clause.split(' ')[0] },
);

/** Slices of a few documents, so that groups are longer than a slice and every search strategy is used. */
const tunings: fc.Arbitrary<Tuning> = fc.record({
  slices: fc.constantFrom({ least: 1, most: 2 }, { least: 3, most: 3 }, { least: 5, most: 100 }),
  sorted: fc.constantFrom(2, 5, 1000),
  attempts: fc.constantFrom<Tuning['attempts']>([], [{ find: 1000 }], [{ find: 3 }, { walk: 4 }, { find: 12 }]),
});

async function found(
  store: Store,
  question: { filter: string; order: readonly string[]; deleted: readonly boolean[]; limit: number; tuning: Tuning },
) {
  const scopes = ['7', '8'].flatMap((experiment) =>
    question.deleted.map((isDeleted) => runScope(WORKSPACE, experiment, isDeleted ? 'deleted' : 'active')),
  );
  const ids: string[] = [];
  let after: Place | undefined;
  do {
    const page = await searchPage(
      store,
      SEARCHED_RUNS,
      {
        scopes,
        comparisons: parseFilter(question.filter, RUNS),
        order: parseOrder(question.order, RUNS),
        after,
        limit: question.limit,
      },
      question.tuning,
    );
    expect(page.things.length).toBeLessThanOrEqual(question.limit);
    ids.push(...page.things.map(({ value }) => value.id));
    // The form that it has in a page token.
    after = page.next && JSON.parse(JSON.stringify(page.next));
  } while (after);
  return ids;
}

const [SAMPLES, QUESTIONS] = process.env.CLOUDJAR_SOAK === '1' ? [20, 200] : [2, 30];

for (const engine of engines) {
  if (engine.name.includes('file')) continue;
  describe(`${engine.name}: searches of runs`, () => {
    it('find the same runs as plain loops, in the same order, page by page', async (context) => {
      const store = await (await engine.place(context)).open(TRACKING_COLLECTIONS);
      context.onTestFinished(() => store.close());
      for (const [i, sample] of fc.sample(runs, { numRuns: SAMPLES, seed: 11 }).entries()) {
        await store.wipe(async () => {});
        await putSamples(store, sample);
        await fc.assert(
          fc.asyncProperty(
            filters,
            orders,
            fc.constantFrom<boolean[]>([false], [true], [false, true]),
            fc.constantFrom(3, 7, 100),
            tunings,
            async (filter, order, deleted, limit, tuning) => {
              const comparisons = parseFilter(filter, RUNS);
              const expected = sample.filter((run) => deleted.includes(run.deleted) && holds(run, comparisons));
              expect(await found(store, { filter, order, deleted, limit, tuning })).toEqual(
                inOrder(expected, parseOrder(order, RUNS)).map(({ id }) => id),
              );
            },
          ),
          { numRuns: QUESTIONS, seed: 100 + i },
        );
      }
    }, 300_000);
  });
}
