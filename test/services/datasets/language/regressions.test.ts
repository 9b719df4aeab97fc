import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { linesOf } from './compare.ts';
import { openDatabase, type Rows } from './evaluator/database.ts';
import { type AnswerRow, evaluateQuery } from './evaluator/evaluate.ts';
import { ENGINES, QueryStore } from './query-store.ts';
import { modelOf } from './sample.ts';

/** A query on which compiler and evaluator once disagreed, found by the random queries. */
interface Regression {
  readonly name: string;
  readonly relationships: readonly string[];
  readonly rows: Rows;
  readonly query: string;
  readonly answer: readonly AnswerRow[];
}

const TABLES = {
  F: { columns: { Num: 'int64', Amt: 'double', Txt: 'text', KA: 'int64', KB: 'int64' } },
  A: { columns: { KA: 'int64', Name: 'text', Size: 'int64' } },
  B: { columns: { KB: 'int64', Name: 'text', Size: 'int64' } },
} as const;

const REGRESSIONS: readonly Regression[] = [
  {
    // The filter is empty, because A has no rows. Its B[Size] column comes from the outer row and keeps its lineage.
    name: 'SELECTCOLUMNS keeps the lineage of a column of an outer row',
    relationships: ['F[KA] <-> A[KA]', 'F[KB] -> B[KB]'],
    rows: { F: [[null, -1, '', 4, 4]], A: [], B: [[3, null, 1]] },
    query: `DEFINE VAR v0 = CALCULATE(0.5, F[KA] <> 0.5)
      EVALUATE ROW("r0", SUMX(SUMMARIZE(VALUES(B[Size]), B[Size]), CALCULATE(
        IF(FALSE, 1, IF(FALSE, 1, COUNTROWS(B))),
        KEEPFILTERS(SELECTCOLUMNS(A, "s1", A[Name], "s2", B[Size])))))`,
    answer: [{ '[r0]': null }],
  },
  {
    // In the inner row A[KA] has only the name [s1], so RELATED uses the outer sale's A[KA], which has no match.
    name: 'RELATED does not find a column that has another name',
    relationships: ['F[KA] <-> A[KA]'],
    rows: { F: [[null, 2, '', 4, null]], A: [[1, '', -2]], B: [] },
    query: `EVALUATE ROW("r0", SUMX(VALUES(F), SUMX(SELECTCOLUMNS(ALL(A[KA]), "s1", A[KA], "s2", F[KA]), RELATED(A[KA]))))`,
    answer: [{ '[r0]': null }],
  },
];

for (const engine of ENGINES) {
  describe(`${engine}: queries that compiler and evaluator once answered differently`, () => {
    let store: QueryStore | undefined;
    beforeEach(async (context) => {
      store ??= await QueryStore.open(engine, context);
    });
    afterAll(() => store?.close());

    for (const { name, relationships, rows, query, answer } of REGRESSIONS)
      it(name, async () => {
        const model = modelOf('r', TABLES, relationships);
        await store!.lay(model, rows);
        expect(linesOf(await store!.ask(model, query), false)).toEqual(linesOf(answer, false));
        expect(linesOf(evaluateQuery(openDatabase(model, rows), query), false)).toEqual(linesOf(answer, false));
      });
  });
}
