import { expect } from 'vitest';
import { checkFacts, type Fact, keys, type World } from '../compute/facts.ts';
import { control, good } from '../support.ts';
import { act, create, PRO, running } from './facts.ts';
import {
  answer,
  cells,
  chunk,
  manifest,
  read,
  run,
  STATEMENTS,
  SUCCEEDED,
  set,
  status,
  waiting,
} from './statements-facts.ts';

/** E6 of the facts, what a statement answers: the rows GET, chunks, cancel, response, state, manifest, result, limits, shapes and CSV. */

const LINKS = { disposition: 'EXTERNAL_LINKS' };
const CSV = { ...LINKS, format: 'CSV' };
const MANY = "SELECT id, repeat('x', 100) AS text FROM range(20000)";
const after = async (world: World, time: string, id: string) => {
  await world.advance(time);
  return (await read(world, id)).status;
};
interface Link {
  readonly external_link: string;
  readonly expiration: string;
}
const linkOf = async (world: World, more: object = CSV, statement = 'SELECT 1'): Promise<Link> =>
  (await answer(world, statement, more)).result.external_links[0];
const fetched = async ({ external_link }: Link, headers: Record<string, string> = {}): Promise<unknown> => {
  const reply = await fetch(external_link, { headers });
  return [reply.status, reply.headers.get('content-type'), await reply.text()];
};
const notFound = { status: 404, code: 'NOT_FOUND', message: expect.any(String) };

const RESPONSES: readonly Fact[] = [
  [
    'response: statement_id, status, manifest, result',
    async (world) => Object.keys(await answer(world, 'SELECT 1')).sort(),
    ['manifest', 'result', 'statement_id', 'status'],
  ],
  [
    'response: the id is a UUID',
    async (world) => (await answer(world, 'SELECT 1')).statement_id,
    expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/),
  ],
  [
    'GET has the same shape as POST',
    async (world) => {
      const posted = await answer(world, MANY);
      return JSON.stringify(await read(world, posted.statement_id)) === JSON.stringify(posted);
    },
    true,
  ],
  [
    'GET of a failed statement has the same shape as POST',
    async (world) => {
      const posted = await answer(world, 'SELECT 1/0');
      return [await read(world, posted.statement_id), Object.keys(posted).sort()];
    },
    [expect.objectContaining({ status: expect.objectContaining({ sql_state: '22012' }) }), ['statement_id', 'status']],
  ],
  [
    'GET chunks: ResultData',
    async ({ ask, ...world }) => {
      const { statement_id } = await answer({ ask, ...world }, MANY);
      return keys(good(ask('GET', `${STATEMENTS}/${statement_id}/result/chunks/1`)), 'chunk_index', 'row_offset');
    },
    { chunk_index: 1, row_offset: expect.any(Number) },
  ],
  ['GET chunks: only after SUCCEEDED', async (world) => chunk(world, await waiting(world), 0), notFound],
  [
    'POST cancel: 200 and nothing else; a poll finds CANCELED, and nothing runs afterwards',
    async (world) => {
      const id = await waiting(world);
      const said = await good(world.ask('POST', `${STATEMENTS}/${id}/cancel`));
      return [said, await after(world, '2m', id)];
    },
    [{}, { state: 'CANCELED' }],
  ],
];

const STATES: readonly Fact[] = [
  ['state PENDING', async (world) => (await read(world, await waiting(world))).status, { state: 'PENDING' }],
  ['state SUCCEEDED', (world) => status(world, 'SELECT 1'), SUCCEEDED],
  ['state FAILED', async (world) => (await status(world, 'SELECT 1/0')).state, 'FAILED'],
  ['SQL failure: HTTP 200', async (world) => (await run(world, 'SELECT 1/0')).status, 200],
  [
    'state CLOSED: results are kept for an hour after success',
    async (world) => {
      const { statement_id } = await answer(world, 'SELECT 1');
      return [
        (await after(world, '59m', statement_id)).state,
        (await after(world, '61s', statement_id)).state,
        await chunk(world, statement_id, 0),
      ];
    },
    ['SUCCEEDED', 'CLOSED', notFound],
  ],
  [
    'state FAILED stays, as there is no result to be kept',
    async (world) => (await after(world, '2h', (await answer(world, 'SELECT 1/0')).statement_id)).state,
    'FAILED',
  ],
  [
    'error_code ABORTED: the warehouse is deleted meanwhile',
    async (world) => {
      const warehouse_id = await create(world);
      const body = { warehouse_id, statement: 'SELECT 1', wait_timeout: '0s' };
      const { statement_id } = await good(world.ask('POST', STATEMENTS, body));
      await world.ask('DELETE', `/sql/warehouses/${warehouse_id}`);
      return after(world, '2m', statement_id);
    },
    { state: 'FAILED', error: { error_code: 'ABORTED', message: 'The SQL warehouse was deleted.' } },
  ],
  [
    'error_code RESOURCE_EXHAUSTED: a quota refuses the start of the warehouse',
    async (world) => {
      const warehouse_id = await create(world, PRO);
      const body = { warehouse_id, statement: 'SELECT 1', wait_timeout: '0s' };
      const { statement_id } = await good(world.ask('POST', STATEMENTS, body));
      await good(control(world.bench, 'PATCH', 'limits', [{ name: 'platform.serverless', limit: 1 }]));
      await act(world, warehouse_id, 'stop');
      await act(world, warehouse_id, 'edit', { name: 'w', cluster_size: '4X-Large', ...PRO });
      return [
        await after(world, '5m', statement_id),
        (await good(world.ask('GET', `/sql/warehouses/${warehouse_id}`))).state,
      ];
    },
    [
      { state: 'FAILED', error: { error_code: 'RESOURCE_EXHAUSTED', message: expect.stringContaining('Serverless') } },
      'STOPPED',
    ],
  ],
];

const columns = [
  { name: 'n', position: 0, type_name: 'INT', type_text: 'INT' },
  { name: 'd', position: 1, type_name: 'DECIMAL', type_text: 'DECIMAL(3,2)', type_precision: 3, type_scale: 2 },
];

const MANIFESTS: readonly Fact[] = [
  [
    'manifest of a small result',
    (world) => manifest(world, 'SELECT 1 AS n, 1.50 AS d'),
    {
      format: 'JSON_ARRAY',
      schema: { column_count: 2, columns },
      total_chunk_count: 1,
      total_row_count: 1,
      total_byte_count: 13,
      truncated: false,
      chunks: [{ chunk_index: 0, row_offset: 0, row_count: 1, byte_count: 13 }],
    },
  ],
  [
    'manifest: chunks add up to the whole',
    async (world) => {
      const { chunks, total_row_count, total_byte_count, total_chunk_count } = await manifest(world, MANY);
      let rows = 0;
      let bytes = 0;
      for (const [index, { chunk_index, row_offset, row_count, byte_count }] of chunks.entries()) {
        expect([chunk_index, row_offset]).toEqual([index, rows]);
        rows += row_count;
        bytes += byte_count;
      }
      return [
        chunks.length > 1,
        chunks.length === total_chunk_count,
        rows === total_row_count,
        bytes === total_byte_count,
      ];
    },
    [true, true, true, true],
  ],
  [
    'result: where a chunk stands, and the next one',
    async (world) => {
      const { statement_id, result } = await answer(world, MANY);
      const { data_array, ...place } = result;
      return [
        { ...place, link: place.next_chunk_internal_link.replace(statement_id, 'ID'), next_chunk_internal_link: 0 },
        data_array.length === place.row_count,
        (await good(world.ask('GET', place.next_chunk_internal_link))).row_offset === place.row_count,
      ];
    },
    [
      {
        chunk_index: 0,
        row_offset: 0,
        row_count: expect.any(Number),
        byte_count: expect.any(Number),
        next_chunk_index: 1,
        next_chunk_internal_link: 0,
        link: '/api/2.0/sql/statements/ID/result/chunks/1',
      },
      true,
      true,
    ],
  ],
  [
    'result: the last chunk has no next one',
    async (world) => {
      const {
        statement_id,
        manifest: { total_chunk_count },
      } = await answer(world, MANY);
      const last = await good(world.ask('GET', `${STATEMENTS}/${statement_id}/result/chunks/${total_chunk_count - 1}`));
      return ['next_chunk_index' in last, 'next_chunk_internal_link' in last];
    },
    [false, false],
  ],
  [
    'result: each external link says where its chunk stands',
    (world) => linkOf(world, LINKS, MANY),
    {
      external_link: expect.stringMatching(/^http/),
      expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
      chunk_index: 0,
      row_offset: 0,
      row_count: expect.any(Number),
      byte_count: expect.any(Number),
      next_chunk_index: 1,
      next_chunk_internal_link: expect.stringMatching(/chunks\/1$/),
    },
  ],
  [
    'result: a chunk of links is a link, too',
    async ({ ask, ...world }) => {
      const { statement_id } = await answer({ ask, ...world }, MANY, LINKS);
      const { external_links, ...rest } = await good(ask('GET', `${STATEMENTS}/${statement_id}/result/chunks/1`));
      return [rest, external_links[0].chunk_index];
    },
    [{}, 1],
  ],
];

const LIMITS: readonly Fact[] = [
  [
    'limits: an INLINE result of more than 25 MiB fails',
    (world) => status(world, "SELECT repeat('x', 100000) FROM range(263)"),
    {
      state: 'FAILED',
      error: {
        error_code: 'BAD_REQUEST',
        message: expect.stringMatching(/^Inline byte limit exceeded\. .*26214400 bytes/),
      },
    },
  ],
  ['limits: one of less does not', (world) => status(world, "SELECT repeat('x', 100000) FROM range(262)"), SUCCEEDED],
  [
    'limits: with byte_limit it is cut instead',
    async (world) =>
      (await manifest(world, "SELECT repeat('x', 100000) FROM range(263)", { byte_limit: 26_214_400 })).truncated,
    true,
  ],
  [
    'limits: EXTERNAL_LINKS has more',
    async (world) => (await manifest(world, "SELECT repeat('x', 100000) FROM range(300)", LINKS)).truncated,
    false,
  ],
  [
    'limits: links live for 15 minutes',
    async (world) => {
      const link = await linkOf(world);
      await world.advance('14m50s');
      const [before] = (await fetched(link)) as [number];
      await world.advance('11s');
      return [before, (await fetch(link.external_link)).status];
    },
    [200, 403],
  ],
  [
    'limits: expiration is within 15 minutes',
    async (world) => {
      const { expiration } = await linkOf(world);
      const { now } = await good(control(world.bench, 'GET', 'clock'));
      const left = Date.parse(expiration) - Date.parse(now);
      return left > 14 * 60_000 && left <= 15 * 60_000;
    },
    true,
  ],
  [
    'limits: each read of the statement or chunk makes a new link',
    async (world) => {
      const { statement_id, result } = await answer(world, 'SELECT 1', CSV);
      const second = (await read(world, statement_id)).result;
      const third = await good(world.ask('GET', `${STATEMENTS}/${statement_id}/result/chunks/0`));
      return new Set([result, second, third].map(({ external_links }) => external_links[0].external_link)).size;
    },
    3,
  ],
  [
    'limits: a new link to an older result is as good as any',
    async (world) => {
      const { statement_id } = await answer(world, 'SELECT 1', CSV);
      await world.advance('50m');
      return fetched((await read(world, statement_id)).result.external_links[0]);
    },
    [200, 'text/csv', '1\r\n1\r\n'],
  ],
  [
    'limits: links are fetched without Authorization',
    async (world) => fetched(await linkOf(world)),
    [200, 'text/csv', '1\r\n1\r\n'],
  ],
];

const SHAPES: readonly Fact[] = [
  [
    'shapes: PENDING has only statement_id and status',
    async (world) => Object.keys(await read(world, await waiting(world))).sort(),
    ['statement_id', 'status'],
  ],
  [
    'shapes: no rows',
    async (world) => {
      const { manifest: found, result } = await answer(world, 'SELECT 1 AS n WHERE false');
      return { found, result };
    },
    {
      found: {
        format: 'JSON_ARRAY',
        schema: { column_count: 1, columns: [{ name: 'n', position: 0, type_name: 'INT', type_text: 'INT' }] },
        total_chunk_count: 0,
        total_row_count: 0,
        total_byte_count: 0,
        truncated: false,
      },
      result: {},
    },
  ],
  ['shapes: no rows behind links', async (world) => (await answer(world, 'SELECT 1 WHERE false', CSV)).result, {}],
  ...['USE CATALOG main', 'USE SCHEMA other', 'USE main.other', 'use database `other`;'].map(
    (statement): Fact => [
      `shapes: the statement without result ${statement}`,
      async (world) => {
        const {
          manifest: { schema, total_row_count },
          result,
          status: said,
        } = await answer(world, statement);
        return { schema, total_row_count, result, said };
      },
      { schema: { column_count: 0 }, total_row_count: 0, result: {}, said: SUCCEEDED },
    ],
  ),
  [
    'shapes: row_limit 0 gives no rows and truncated=true',
    async (world) => {
      const { manifest: found, result } = await answer(world, 'SELECT 1', { row_limit: 0 });
      return [result, found.truncated, found.total_row_count, found.total_chunk_count, 'chunks' in found];
    },
    [{}, true, 0, 0, false],
  ],
  [
    'shapes: row_limit of all rows cuts nothing',
    async (world) => (await manifest(world, 'SELECT id FROM range(3)', { row_limit: 3 })).truncated,
    false,
  ],
  ...['SELECT 1; SELECT 2', 'USE CATALOG main; SELECT 1', 'SET TIMEZONE = UTC; SELECT 1'].map(
    (statement): Fact => [
      `shapes: several statements fail with a syntax error: ${statement}`,
      async (world) => (await status(world, statement)).sql_state,
      '42601',
    ],
  ),
  [
    'shapes: nothing that USE says survives to the next request',
    async (world) => {
      const warehouse_id = await running(world);
      const statements = ['USE CATALOG other', 'SET TIMEZONE = `Europe/Vienna`', 'SELECT current_catalog()'];
      const seen = [];
      for (const statement of statements)
        seen.push((await good(world.ask('POST', STATEMENTS, { warehouse_id, statement }))).result.data_array);
      return seen;
    },
    [undefined, [['TIMEZONE', 'Europe/Vienna']], [['main']]],
  ],
  [
    'shapes: SET of what a warehouse does not know',
    async (world) => (await status(world, 'SET nope.nope = 1')).sql_state,
    '42K0I',
  ],
  [
    'DML answers: INSERT, where its result is set',
    async (world) => {
      const statement = 'INSERT INTO t VALUES (1)';
      await set(world, { statement, columns: ['num_affected_rows', 'num_inserted_rows'], rows: [[1, 1]] });
      return cells(world, statement);
    },
    [['1', '1']],
  ],
  [
    'DML answers: DDL has no columns, where its result is set',
    async (world) => {
      await set(world, { statement: 'CREATE TABLE t (a INT)', rows: [] });
      const { manifest: found, result } = await answer(world, 'CREATE TABLE t (a INT)');
      return [found.schema, result];
    },
    [{ column_count: 0 }, {}],
  ],
];

const FILES: readonly Fact[] = [
  [
    'CSV chunk: RFC 4180, NULL as null',
    async (world) => fetched(await linkOf(world, CSV, `SELECT 1 AS a, 'x,"y' AS \`b,\`, NULL AS c, 'p\\nq' AS d`)),
    [200, 'text/csv', 'a,"b,",c,d\r\n1,"x,""y",null,"p\nq"\r\n'],
  ],
  [
    'CSV chunk: the header only in chunk 0',
    async (world) => {
      const { statement_id, result } = await answer(world, MANY, CSV);
      const second = await good(world.ask('GET', `${STATEMENTS}/${statement_id}/result/chunks/1`));
      const texts = [];
      for (const { external_links } of [result, second]) {
        const [, , text] = (await fetched(external_links[0])) as [number, string, string];
        texts.push(text.slice(0, text.indexOf('\r\n')));
      }
      return texts;
    },
    ['id,text', expect.stringMatching(/^\d+,x{100}$/)],
  ],
  [
    'JSON chunk: compact',
    async (world) => fetched(await linkOf(world, LINKS, "SELECT 1, NULL, 'a b'")),
    [200, 'application/json', '[["1",null,"a b"]]'],
  ],
];

checkFacts('facts about SQL statements: answers', [
  ...RESPONSES,
  ...STATES,
  ...MANIFESTS,
  ...LIMITS,
  ...SHAPES,
  ...FILES,
]);
