import { expect } from 'vitest';
import { checkFacts, type Fact, keys, type World } from '../compute/facts.ts';
import { control, good } from '../support.ts';
import { act, create, PRO } from './facts.ts';
import {
  answer,
  chunk,
  LINKS,
  linkOf,
  MANY,
  manifest,
  read,
  run,
  STATEMENTS,
  SUCCEEDED,
  status,
  waiting,
} from './statements-facts.ts';

/** E6 of the facts, responses to a statement: the rows GET, chunks, cancel, response, state, manifest and result. */

const after = async (world: World, time: string, id: string) => {
  await world.advance(time);
  return (await read(world, id)).status;
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
  [
    'state RUNNING, until it is over',
    async (world) => {
      const { statement_id } = await answer(world, 'SELECT count(*) FROM range(400000)', { wait_timeout: '0s' });
      const seen = new Set<string>();
      for (let state = 'PENDING'; state === 'PENDING' || state === 'RUNNING'; seen.add(state))
        ({ state } = (await read(world, statement_id)).status);
      seen.delete('PENDING');
      return [...seen];
    },
    ['RUNNING', 'SUCCEEDED'],
  ],
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

checkFacts('facts about SQL statements: answers', [...RESPONSES, ...STATES, ...MANIFESTS]);
