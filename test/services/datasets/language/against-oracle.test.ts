import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
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
        await store!.lay(model, rows);
        const found = await store!.ask(model, query);
        const expected = evaluateQuery(openDatabase(model, rows), query);
        expect(linesOf(found, ordered)).toEqual(linesOf(expected, ordered));
      });
      await fc.assert(property, { numRuns: RUNS });
    });
  });
}
