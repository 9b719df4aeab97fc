import type { Selected } from '../../../kernel/store/index.ts';
import { StoreError } from '../../../kernel/store/index.ts';
import { callerOf } from '../access/caller.ts';
import { findDataset } from '../access/find.ts';
import { takeRates } from '../access/throttle.ts';
import { errors } from '../errors.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import { type CompiledQuery, compileQuery, QueryError } from '../language/index.ts';
import { QUERY_LIBRARY } from '../language/library.ts';
import { QUERIES } from '../limits.ts';
import { modelOf } from '../model/model-of.ts';
import type { Dataset } from '../model/types.ts';
import { answerText, rowsFor } from './answer.ts';
import { ExecuteQueriesRequest, readRequest } from './request.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1899, 11, 30);

/** Numbers of the engine behind the real service: refused before it ran, and failed while it did. */
const REFUSED = '3241803862';
const FAILED = '3239575574';

export const executeQueries = routeCode(['dataset'], {
  body: ExecuteQueriesRequest,
  responses: { 200: 'The rows of the first table that the query asks for' },
  async admit(call) {
    const dataset = await findDataset(call, call.params.dataset);
    if (dataset.mode === 'Streaming') throw failed('A streaming dataset keeps no rows that could be queried.', REFUSED);
    await takeRates(call, [{ limit: QUERIES, scope: [callerOf(call).objectId.toLowerCase()] }]);
  },
  async handle(call) {
    const { text, includeNulls } = readRequest(call.body);
    const dataset = await findDataset(call, call.params.dataset);
    const compiled = explained(() => compile(call, dataset, text));
    const selected = await select(call, compiled);
    return { status: 200, body: explained(() => answerText({ compiled, selected, includeNulls })) };
  },
});

/** What is wrong with a query is an error of the one who sent it. */
function explained<R>(action: () => R): R {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { position, message } = error;
    throw failed(position ? `Query (${position.line}, ${position.column}) ${message}` : message, REFUSED);
  }
}

function compile({ jar }: DatasetsCall, dataset: Dataset, text: string): CompiledQuery {
  const { store, clock } = jar;
  const now = (clock.now() - FIRST_DAY) / DAY_MS;
  return compileQuery(modelOf(dataset), text, { engine: store.engine, now, sqlName: store.tables.sqlName });
}

async function select({ jar }: DatasetsCall, { statement, columns }: CompiledQuery): Promise<Selected> {
  const { queryTimeLimit } = await jar.settings.current();
  try {
    await jar.store.tables.use(QUERY_LIBRARY);
    return await jar.store.tables.select(statement, { rows: rowsFor(columns.length), timeMs: queryTimeLimit });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'TOO_LONG') throw failed(`The query took longer than ${queryTimeLimit / 1000} s.`, FAILED);
    if (error.code === 'STATEMENT') throw failed(error.message, FAILED);
    throw error;
  }
}

const failed = (reason: string, number: string) =>
  errors.DatasetExecuteQueriesError({ reason }, { details: [{ code: 'AnalysisServicesErrorCode', message: number }] });
