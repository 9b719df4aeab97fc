import { checkFacts, type Fact, invalid, malformed, OK, refused, type World } from '../compute/facts.ts';
import { good, refusal } from '../support.ts';
import {
  answer,
  cells,
  failed,
  invalidExactly,
  manifest,
  read,
  refusalOf,
  run,
  STATEMENTS,
  SUCCEEDED,
  status,
  waiting,
} from './statements-facts.ts';

/** E6 of the facts, content of a request for a statement: the rows POST and positional markers. */

const MIB = 1024 * 1024;
const one = (value: string | null) => [[value]];
const tags = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: `v${n}` }));
const history = async ({ ask }: World) => (await good(ask('GET', '/sql/history/queries'))).res[0];
const parameter = (value: unknown, type?: string, name = 'p') => ({
  parameters: [{ name, ...(value !== undefined && { value }), ...(type !== undefined && { type }) }],
});

const FIELDS: readonly Fact[] = [
  [
    'POST statement*: absent is 400 BAD_REQUEST',
    (world) => refusalOf(world, { statement: undefined }),
    refused('BAD_REQUEST'),
  ],
  ['POST statement*: null is absent', (world) => refusalOf(world, { statement: null }), refused('BAD_REQUEST')],
  [
    'POST warehouse_id*: absent is 400 BAD_REQUEST',
    (world) => refusalOf(world, { warehouse_id: undefined }),
    refused('BAD_REQUEST'),
  ],
  [
    'POST warehouse_id*: empty is 400 BAD_REQUEST',
    (world) => refusalOf(world, { warehouse_id: '' }),
    refused('BAD_REQUEST'),
  ],
  [
    'POST statement <=16 MiB: so many bytes run',
    (world) => status(world, `SELECT 1 -- ${'x'.repeat(16 * MIB - 12)}`),
    SUCCEEDED,
  ],
  [
    'POST statement <=16 MiB: one more is refused',
    async (world) => refusal(await run(world, `SELECT 1 -- ${'x'.repeat(16 * MIB - 11)}`)),
    invalid('16777216'),
  ],
  [
    'POST statement <=16 MiB: bytes are counted, not characters',
    async (world) => refusal(await run(world, `SELECT 1 -- ${'é'.repeat(8 * MIB)}`)),
    invalid('16777216'),
  ],
  ['POST catalog', (world) => cells(world, 'SELECT current_catalog()', { catalog: 'sales' }), one('sales')],
  ['POST schema', (world) => cells(world, 'SELECT current_schema()', { schema: 'eu' }), one('eu')],
  ['POST parameters: the marker :name', (world) => cells(world, 'SELECT :p', parameter('x')), one('x')],
  ['POST parameters: a value of null is NULL', (world) => cells(world, 'SELECT :p', parameter(null)), one(null)],
  ['POST parameters: no value is NULL', (world) => cells(world, 'SELECT :p', parameter(undefined)), one(null)],
  ['POST parameters: an empty value is an empty text', (world) => cells(world, 'SELECT :p', parameter('')), one('')],
  [
    'POST parameters: the type is STRING by default',
    (world) => cells(world, 'SELECT typeof(:p)', parameter('1')),
    one('string'),
  ],
  [
    'POST parameters: NULL has the type that is said',
    (world) => cells(world, 'SELECT typeof(:p)', parameter(null, 'DATE')),
    one('date'),
  ],
  ...(
    [
      ['INT', '1', 'int'],
      ['bigint', '1', 'bigint'],
      ['DECIMAL(10,2)', '1.5', 'decimal(10,2)'],
      ['BOOLEAN', 'true', 'boolean'],
      ['DATE', '2024-02-29', 'date'],
      ['TIMESTAMP', '2024-02-29 01:02:03', 'timestamp'],
      ['DOUBLE', '1e3', 'double'],
      ['INTERVAL DAY', '3', 'interval day'],
      ['interval year to month', '1-2', 'interval year to month'],
    ] as const
  ).map(
    ([type, value, seen]): Fact => [
      `POST parameters: type ${type}`,
      (world) => cells(world, 'SELECT typeof(:p)', parameter(value, type)),
      one(seen),
    ],
  ),
  ...['BINARY', 'ARRAY<INT>', 'MAP<STRING, INT>', 'STRUCT<a: INT>', 'VARIANT'].map(
    (type): Fact => [
      `POST parameters: none has the type ${type}`,
      (world) => status(world, 'SELECT :p', parameter('1', type)),
      failed('22023', 'INVALID_PARAMETER_VALUE'),
    ],
  ),
  [
    'positional `?`: parameters without a name, in their order',
    (world) => cells(world, 'SELECT ?, ?', { parameters: [{ value: 'a' }, { value: '2', type: 'INT' }] }),
    [['a', '2']],
  ],
  ['POST row_limit', (world) => cells(world, 'SELECT id FROM range(9)', { row_limit: 2 }), [['0'], ['1']]],
  [
    'POST byte_limit: rows that have no room are left out',
    async (world) => {
      const { total_row_count, truncated } = await manifest(world, 'SELECT id FROM range(9)', { byte_limit: 15 });
      return { total_row_count, truncated };
    },
    { total_row_count: 2, truncated: true },
  ],
  [
    'POST disposition INLINE, format JSON_ARRAY by default',
    async (world) => {
      const {
        manifest: { format },
        result,
      } = await answer(world, 'SELECT 1');
      return [format, Object.keys(result).sort()];
    },
    ['JSON_ARRAY', ['byte_count', 'chunk_index', 'data_array', 'row_count', 'row_offset']],
  ],
  [
    'POST disposition EXTERNAL_LINKS',
    async (world) => Object.keys((await answer(world, 'SELECT 1', { disposition: 'EXTERNAL_LINKS' })).result),
    ['external_links'],
  ],
  [
    'POST format CSV with EXTERNAL_LINKS',
    async (world) => (await manifest(world, 'SELECT 1', { disposition: 'EXTERNAL_LINKS', format: 'CSV' })).format,
    'CSV',
  ],
  [
    'POST format ARROW_STREAM with EXTERNAL_LINKS is refused in plain words, as this jar has no Arrow',
    (world) => refusalOf(world, { disposition: 'EXTERNAL_LINKS', format: 'ARROW_STREAM' }),
    invalidExactly('The format ARROW_STREAM is not implemented by this jar.'),
  ],
  ...['0s', '5s', '50s'].map(
    (wait_timeout): Fact => [`POST wait_timeout ${wait_timeout}`, (world) => refusalOf(world, { wait_timeout }), OK],
  ),
  [
    'POST wait_timeout 10s by default, by the clock of the jar',
    async (world) => {
      const { id: warehouse_id } = await good(world.ask('POST', '/sql/warehouses', { name: 'slow' }));
      let answered: unknown;
      const asked = good(world.ask('POST', STATEMENTS, { warehouse_id, statement: 'SELECT 1' })).then((body) => {
        answered = body.status;
      });
      while ((await history(world)) === undefined);
      await world.advance('5s');
      await history(world);
      const before = answered;
      await world.advance('5s');
      await asked;
      return [before, answered];
    },
    [undefined, { state: 'PENDING' }],
  ],
  [
    'POST on_wait_timeout CONTINUE by default',
    async (world) => (await read(world, await waiting(world, { wait_timeout: '0s' }))).status,
    { state: 'PENDING' },
  ],
  [
    'POST on_wait_timeout CANCEL',
    async (world) => {
      const { id: warehouse_id } = await good(world.ask('POST', '/sql/warehouses', { name: 'slow' }));
      const body = { warehouse_id, statement: 'SELECT 1', wait_timeout: '5s', on_wait_timeout: 'CANCEL' };
      const asked = good(world.ask('POST', STATEMENTS, body));
      while ((await history(world)) === undefined);
      await world.advance('5s');
      const { statement_id, ...rest } = await asked;
      return [rest, (await read(world, statement_id)).status];
    },
    [{ status: { state: 'CANCELED' } }, { state: 'CANCELED' }],
  ],
  [
    'POST on_wait_timeout is ignored where nothing is waited for',
    async (world) => (await read(world, await waiting(world, { on_wait_timeout: 'CANCEL' }))).status,
    { state: 'PENDING' },
  ],
  [
    'POST query_tags: the history has them',
    async (world) => {
      await answer(world, 'SELECT 1', { query_tags: [{ key: 'team', value: 'data' }, { key: 'bare' }] });
      return (await history(world)).query_tags;
    },
    [{ key: 'team', value: 'data' }, { key: 'bare' }],
  ],
  [
    'POST query_tags: cut to 20',
    async (world) => {
      await answer(world, 'SELECT 1', { query_tags: tags(21) });
      return (await history(world)).query_tags;
    },
    tags(20),
  ],
  ...Object.entries({
    statement: 5,
    warehouse_id: 5,
    catalog: [],
    schema: {},
    parameters: 'x',
    row_limit: 'many',
    byte_limit: true,
    disposition: 1,
    format: [],
    wait_timeout: 10,
    on_wait_timeout: {},
    query_tags: {},
  }).map(
    ([field, value]): Fact => [
      `POST ${field} of another type is malformed`,
      (world) => refusalOf(world, { [field]: value }),
      malformed(field),
    ],
  ),
];

checkFacts('facts about SQL statements: requests', [...FIELDS]);
