import { expect } from 'vitest';
import { checkFacts, type Fact } from '../compute/facts.ts';
import { control, good } from '../support.ts';
import { running } from './facts.ts';
import {
  answer,
  CSV,
  cells,
  fetched,
  LINKS,
  linkOf,
  MANY,
  manifest,
  read,
  STATEMENTS,
  SUCCEEDED,
  set,
  status,
  waiting,
} from './statements-facts.ts';

/** E6 of the facts, size and shape of results: the rows limits, `shapes, live`, DML answers and CSV. */

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
      const [before] = await fetched(link);
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
  ...['USE CATALOG main', 'USE SCHEMA default', 'USE main.default', 'use database `default`;'].map(
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
      const statements = ['USE CATALOG system', 'SET TIMEZONE = `Europe/Vienna`', 'SELECT current_catalog()'];
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
        const [, , text] = await fetched(external_links[0]);
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

checkFacts('facts about SQL statements: shapes', [...LIMITS, ...SHAPES, ...FILES]);
