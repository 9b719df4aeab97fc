import type { Statement } from '../../../kernel/store/index.ts';
import { Binder } from './binding/binder.ts';
import { bindQuery } from './binding/query.ts';
import { EMPTY } from './binding/scopes.ts';
import { Catalogue } from './catalogue.ts';
import { QueryError } from './errors.ts';
import type { Model } from './model.ts';
import type { Engine, ScalarType } from './scalar/types.ts';
import { dialectOf } from './sql/dialect.ts';
import { statementOf } from './sql/query.ts';
import { parseMeasure, parseQuery } from './syntax/parse.ts';

export { functionNames } from './binding/forms.ts';
export { type Position, QueryError } from './errors.ts';
export type { Model, ModelColumn, ModelMeasure, ModelRelationship, ModelTable } from './model.ts';

export interface CompileOptions {
  readonly engine: Engine;
  /** Days since 1899-12-30. */
  readonly now: number;
  readonly sqlName: (storage: string) => string;
}

export interface CompiledQuery {
  readonly statement: Statement;
  readonly columns: readonly { readonly key: string; readonly type: ScalarType }[];
  /** True if the query evaluates more tables than the one that is returned. */
  readonly furtherTables: boolean;
}

/** Compiles a query into one SQL statement. Throws `QueryError` if the query is invalid. */
export function compileQuery(model: Model, text: string, { engine, now, sqlName }: CompileOptions): CompiledQuery {
  const query = parseQuery(text);
  const plan = bindQuery(new Binder(new Catalogue(model), now), query);
  const statement = statementOf(plan, dialectOf(engine), sqlName);
  const columns = plan.table.columns.map(({ key, type }) => ({ key, type }));
  return { statement, columns, furtherTables: plan.furtherTables };
}

export interface MeasureProblem {
  readonly table: string;
  readonly measure: string;
  readonly message: string;
  readonly position: QueryError['position'];
}

/** Errors in the measures of a model; at most one per measure. */
export function checkMeasures(model: Model): MeasureProblem[] {
  const catalogue = new Catalogue(model);
  return model.tables.flatMap(({ name: table, measures }) =>
    measures.flatMap(({ name: measure, expression }) => {
      try {
        const binder = new Binder(catalogue, 0);
        binder.scalar(parseMeasure(expression), { ...EMPTY, home: catalogue.table(table) });
        // Bind it by name as well, which finds measures that reference themselves.
        binder.measure(measure, { line: 1, column: 1 }, EMPTY);
        return [];
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        return [{ table, measure, message: error.message, position: error.position }];
      }
    }),
  );
}

export { jsonText } from './values.ts';
