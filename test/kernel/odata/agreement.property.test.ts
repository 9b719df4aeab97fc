import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileFilter } from '../../../src/kernel/odata/compile.ts';
import { Evaluator } from '../../../src/kernel/odata/evaluate.ts';
import { sampleArbitrary } from './arbitraries.ts';
import { bothEngines, openWith, samples, shape } from './samples.ts';
import { typedFilter } from './typed-filters.ts';

const SEEDS = process.env.CLOUDJAR_SOAK === '1' ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [3];
const FILTERS = 1000;
const NOW = Date.UTC(2024, 5, 1);

it.for(bothEngines.flatMap((engine) => SEEDS.map((seed) => [engine.name, seed, engine] as const)))(
  '%s and the evaluation in memory agree on any filter and any documents (%i)',
  { timeout: 600_000 },
  async ([, seed, engine], context) => {
    const documents = new Map(
      fc.sample(sampleArbitrary, { numRuns: 60, seed }).map((document, i) => [String(i).padStart(3, '0'), document]),
    );
    const store = await openWith(engine, context, documents);
    const evaluator = new Evaluator(samples);
    await fc.assert(
      fc.asyncProperty(typedFilter, async (text) => {
        const { filter, residual, predicate } = compileFilter(shape, text, NOW);
        // Documents as read from the store, because JSON has no -0.
        const { items } = await store.query(samples, { filter, limit: 100 });
        const found = items.filter((item) => !residual || evaluator.matches(residual, item.value));
        const expected = [...documents].filter(([, document]) => evaluator.matches(predicate, document));
        expect(found.map(({ key }) => key)).toEqual(expected.map(([key]) => key));
        // If the store answers without a residual, it also counts; otherwise it counts the candidates.
        expect(await store.count(samples, { filter })).toBe(residual ? items.length : expected.length);
      }),
      { numRuns: FILTERS },
    );
  },
);
