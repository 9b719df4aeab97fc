import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Model, QueryError } from '../../../../src/services/datasets/language/index.ts';
import { linesOf } from './compare.ts';
import { openDatabase } from './evaluator/database.ts';
import { evaluateQuery } from './evaluator/evaluate.ts';
import { ENGINES, QueryStore } from './query-store.ts';
import { randomQueries } from './random/queries.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 5_000 : 200;

for (const engine of ENGINES) {
  describe(`${engine}: random queries`, () => {
    let store: QueryStore | undefined;
    beforeEach(async (context) => {
      store ??= await QueryStore.open(engine, context);
    });
    afterAll(() => store?.close());

    it('have the rows that the evaluator finds', async () => {
      const property = fc.asyncProperty(randomQueries, async ({ model, rows, query, ordered }) => {
        fc.pre(!isTooComplex(store!, model, query));
        await store!.lay(model, rows);
        const found = await store!.ask(model, query);
        const expected = evaluateQuery(openDatabase(model, rows), query);
        expect(linesOf(found, ordered)).toEqual(linesOf(expected, ordered));
      });
      await fc.assert(property, { numRuns: RUNS });
    });
  });
}

/** The compiler limits the length of a statement; few random queries reach the limit. */
function isTooComplex(store: QueryStore, model: Model, query: string): boolean {
  try {
    store.compile(model, query);
    return false;
  } catch (error) {
    return error instanceof QueryError && /too complex/.test(error.message);
  }
}
