import { Type } from 'typebox';
import { errorTable, noContent, ok, type Route, routeOf } from '../../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../../kernel/odata/index.ts';
import { eq, type Tx } from '../../../../kernel/store/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import { type PlatformJar, routeCode } from '../../jar.ts';
import { QUERIES_NAME } from '../visualizations.ts';
import { workspaceFor } from '../workspace-for.ts';
import { type QueryResult, queryResults, resultKey } from './collections.ts';
import { digestOf } from './find.ts';

/** Control API for tests: sets the results of queries. */

const MOST_RESULTS = 1000;
const MOST_ROWS = 10_000;
const MOST_COLUMNS = 1000;
const LARGEST_BYTES = 1024 * 1024;

export const resultErrors = errorTable({
  QueryResultNotFound: [404, "There is no query result '{id}'; GET /_jar/platform/query-results lists them."],
  QueryNotFound: [404, "The workspace {workspace} has no query '{id}'."],
  QueryResultInvalid: [400, '{reason}'],
  QueryResultsFull: [409, 'The workspace {workspace} has {most} query results. Delete one first.'],
});

const Text = { type: 'Edm.String' } as const;

const shape = entityShape<QueryResult>({
  name: 'query results',
  collection: queryResults,
  properties: {
    id: { ...Text, field: 'key' },
    workspaceId: { ...Text, field: 'workspace' },
    queryId: { ...Text, field: 'query' },
    setAt: { type: 'Edm.DateTimeOffset', field: 'setAt' },
  },
  scan: 'bounded',
});

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: MOST_COLUMNS });
const Rows = Type.Array(Type.Array(Cell), { maxItems: MOST_ROWS });

const Summary = Type.Object({
  id: Type.String(),
  workspaceId: Type.String(),
  queryId: Type.Optional(Type.String()),
  statement: Type.Optional(Type.String()),
  columns: Type.Array(Type.String()),
  rowCount: Type.Integer(),
  error: Type.Optional(Type.String()),
  setAt: Type.String(),
});

const idOf = ({ queryId, statement = '' }: Pick<QueryResult, 'queryId' | 'statement'>): string =>
  queryId ?? digestOf(statement);

const view = ({ rows, setAt, ...result }: QueryResult) =>
  omitAbsent({
    id: resultKey(result.workspaceId, idOf(result)),
    ...result,
    rowCount: rows.length,
    setAt: isoTime(setAt),
  });

const listResults = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(Summary) },
  handle: (call) => listAnswer(call, { shape, order: [{ field: 'setAt' }], view: ({ value }) => view(value) }),
});

const setResult = routeCode([], {
  body: Type.Object(
    {
      workspaceId: Type.Optional(Type.String({ minLength: 1 })),
      queryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      statement: Type.Optional(Type.String({ minLength: 1, maxLength: LARGEST_BYTES })),
      columns: Type.Optional(Columns),
      rows: Type.Optional(Rows),
      error: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
    },
    { additionalProperties: false },
  ),
  responses: { 200: Summary },
  async handle({ jar, body: { workspaceId: named, queryId, statement, columns = [], rows, error } }) {
    if ((queryId === undefined) === (statement === undefined)) throw invalid('Give either queryId or statement.');
    if ((rows === undefined) === (error === undefined)) throw invalid('Give either rows or error.');
    if (rows && rows.length > 0 && columns.length === 0) throw invalid('Rows require columns.');
    if (new Set(columns).size < columns.length) throw invalid('The names in columns must be unique.');
    const uneven = rows?.findIndex((row) => row.length !== columns.length) ?? -1;
    if (uneven >= 0) throw invalid(`Row ${uneven} has ${rows?.[uneven]?.length} cells, not ${columns.length}.`);
    const bytes = Buffer.byteLength(JSON.stringify([statement, columns, rows]));
    if (bytes > LARGEST_BYTES) throw invalid(`A query result has at most ${LARGEST_BYTES} bytes, not ${bytes}.`);
    const { id: workspaceId } = await workspaceFor(jar, named);
    const result = await jar.store.transact(async (tx) => {
      const kept: QueryResult = {
        workspaceId,
        ...(queryId !== undefined && { queryId }),
        ...(statement !== undefined && { statement }),
        columns,
        rows: rows ?? [],
        ...(error !== undefined && { error }),
        setAt: jar.clock.now(),
      };
      await keep(tx, jar, kept);
      return kept;
    });
    return ok(view(result));
  },
});

async function keep(tx: Tx, jar: PlatformJar, result: QueryResult): Promise<void> {
  const { workspaceId, queryId } = result;
  // Shared lock: the query cannot be purged before this transaction ends, and the purge removes its result too.
  if (queryId !== undefined && !(await tx.get(objects, objectKey(workspaceId, QUERIES_NAME, queryId), 'share')))
    throw resultErrors.QueryNotFound({ id: queryId, workspace: workspaceId });
  const key = resultKey(workspaceId, idOf(result));
  await tx.lock(`platform.query-results:${workspaceId}`);
  if (!(await tx.get(queryResults, key))) {
    const count = await tx.count(queryResults, { filter: eq('workspace', workspaceId) });
    if (count >= MOST_RESULTS) throw resultErrors.QueryResultsFull({ workspace: workspaceId, most: MOST_RESULTS });
  }
  await tx.put(queryResults, key, result);
  await record(tx, jar, 'set-query-result', key);
}

const getResult = routeCode(['workspace', 'id'], {
  responses: { 200: Type.Object({ ...Summary.properties, rows: Type.Array(Type.Array(Cell)) }) },
  async handle({ jar, params: { workspace, id } }) {
    const found = (await jar.store.get(queryResults, resultKey(workspace, id)))?.value;
    if (!found) throw missing(workspace, id);
    return ok({ ...view(found), rows: found.rows });
  },
});

const deleteResult = routeCode(['workspace', 'id'], {
  responses: { 204: 'Deleted' },
  async handle({ jar, params: { workspace, id } }) {
    await jar.store.transact(async (tx) => {
      const key = resultKey(workspace, id);
      if (!(await tx.get(queryResults, key))) throw missing(workspace, id);
      await tx.delete(queryResults, key);
      await record(tx, jar, 'delete-query-result', key);
    });
    return noContent();
  },
});

const invalid = (reason: string) => resultErrors.QueryResultInvalid({ reason });
const missing = (workspace: string, id: string) =>
  resultErrors.QueryResultNotFound({ id: `${workspace}/${id}`.slice(0, 200) });

const record = (tx: Tx, { clock }: PlatformJar, kind: string, key: string): Promise<void> =>
  tx.change({ source: 'platform', kind, subject: `/${key}`, outcome: 'Succeeded', at: clock.now(), data: {} });

const PATH = '/_jar/platform/query-results';

export const resultControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: PATH,
      operation: 'Jar_ListQueryResults',
      summary: 'Lists the results that are set for queries of the data platform',
    },
    listResults,
  ),
  routeOf(
    {
      method: 'PUT',
      path: PATH,
      operation: 'Jar_SetQueryResult',
      summary: 'Sets the rows, or the error, that a saved query or a query text returns',
    },
    setResult,
  ),
  routeOf(
    {
      method: 'GET',
      path: `${PATH}/{workspace}/{id}`,
      operation: 'Jar_GetQueryResult',
      summary: 'Reads the result that is set for a query, with its rows',
    },
    getResult,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: `${PATH}/{workspace}/{id}`,
      operation: 'Jar_DeleteQueryResult',
      summary: 'Deletes the result that is set for a query',
    },
    deleteResult,
  ),
];
