import { type Selected, StoreError, serialAt } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { DatasetsJar } from '../jar.ts';
import { type CompiledQuery, compileQuery, QueryError } from '../language/index.ts';
import { QUERY_LIBRARY } from '../language/library.ts';
import { modelOf } from '../model/model-of.ts';
import type { Dataset } from '../model/types.ts';
import { rowsFor } from './answer.ts';

/** Error numbers of the real query engine: a query that fails before it runs, and one that fails while it runs. */
const REFUSED = '3241803862';
const FAILED = '3239575574';

export interface Answered {
  readonly compiled: CompiledQuery;
  readonly selected: Selected;
}

/** Runs a query over a dataset and renders its rows. Errors in the query are client errors. */
export async function runQuery<R>(
  jar: DatasetsJar,
  dataset: Dataset,
  text: string,
  render: (answered: Answered) => R,
): Promise<R> {
  const compiled = explained(() => compile(jar, dataset, text));
  const selected = await select(jar, compiled);
  return explained(() => render({ compiled, selected }));
}

/** A streaming dataset stores no queryable rows. */
export function refuseStreaming({ mode }: Pick<Dataset, 'mode'>): void {
  if (mode === 'Streaming')
    throw failed('A streaming dataset has no rows to query; use the mode PushStreaming.', REFUSED);
}

/** Adds the position in the query, as line and column, as the target of the error. */
function explained<R>(action: () => R): R {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { position, message } = error;
    if (!position) throw failed(message, REFUSED);
    const { line, column } = position;
    throw failed(`Query (${line}, ${column}) ${message}`, REFUSED, `${line}:${column}`);
  }
}

function compile({ store, clock }: DatasetsJar, dataset: Dataset, text: string): CompiledQuery {
  const now = serialAt(clock.now());
  return compileQuery(modelOf(dataset), text, { engine: store.engine, now, sqlName: store.tables.sqlName });
}

async function select(jar: DatasetsJar, { statement, columns }: CompiledQuery): Promise<Selected> {
  const { queryTimeLimit } = await jar.settings.current();
  try {
    await jar.store.tables.use(QUERY_LIBRARY);
    return await jar.store.tables.select(statement, { rows: rowsFor(columns.length), timeMs: queryTimeLimit });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'TOO_LONG') throw failed(`The query took longer than ${queryTimeLimit / 1000} s.`, FAILED);
    if (error.code === 'STATEMENT') throw failed(error.message, FAILED);
    if (error.code === 'UNKNOWN_TABLE')
      throw failed('The tables of the dataset changed while the query ran. Try again.', FAILED);
    throw error;
  }
}

const failed = (reason: string, number: string, target?: string) =>
  errors.DatasetExecuteQueriesError(
    { reason },
    {
      details: [{ code: 'AnalysisServicesErrorCode', message: number }],
      ...(target !== undefined && { target }),
    },
  );
