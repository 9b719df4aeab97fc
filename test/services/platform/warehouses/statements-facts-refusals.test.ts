import { expect } from 'vitest';
import { checkFacts, type Fact, invalid, OK, refused } from '../compute/facts.ts';
import { good, person, refusal } from '../support.ts';
import { running } from './facts.ts';
import {
  answer,
  chunk,
  invalidExactly,
  read,
  refusalOf,
  STATEMENTS,
  SUCCEEDED,
  UNKNOWN_ID,
  waiting,
} from './statements-facts.ts';

/** E6 of the facts, refused and accepted requests for a statement: the rows `mistakes, live`, `ids, live` and `leniency, live`. */

const WAIT = 'The wait_timeout field must be 0 seconds (disables wait), or between 5 seconds and 50 seconds.';
const INCOMPATIBLE =
  'Incompatible parameters: The format field must be JSON_ARRAY when the disposition field is INLINE.';

const MISTAKES: readonly Fact[] = [
  ...['4s', '51s', '1s', '-5s', '5', '5m', '5.5s', '', 's'].map(
    (wait_timeout): Fact => [
      `mistakes: wait_timeout '${wait_timeout}' is out of range`,
      (world) => refusalOf(world, { wait_timeout }),
      invalidExactly(WAIT),
    ],
  ),
  ...['ARROW_STREAM', 'CSV'].map(
    (format): Fact => [
      `mistakes: INLINE with ${format}`,
      (world) => refusalOf(world, { format }),
      invalidExactly(INCOMPATIBLE),
    ],
  ),
  ...(
    [
      ['row_limit', 0, OK],
      ['row_limit', 2_147_483_647, OK],
      ['row_limit', -1, invalid('row_limit')],
      ['row_limit', 2_147_483_648, invalid('row_limit')],
      ['byte_limit', 1, OK],
      ['byte_limit', 26_214_400, OK],
      ['byte_limit', 0, invalid('byte_limit')],
      ['byte_limit', 26_214_401, invalid('byte_limit')],
    ] as const
  ).map(
    ([field, value, seen]): Fact => [
      `mistakes: ${field} ${value}`,
      (world) => refusalOf(world, { [field]: value }),
      seen,
    ],
  ),
];

const denied = {
  status: 403,
  code: 'PERMISSION_DENIED',
  message: expect.stringMatching(/^You do not have permission to use the SQL Warehouse\. /),
};
const notFound = { status: 404, code: 'NOT_FOUND', message: expect.any(String) };
const badId = invalidExactly('Error while parsing type: statement_id.');

const IDS: readonly Fact[] = [
  ...['nope', '0123456789ABCDEF', '0123456789abcde', UNKNOWN_ID].map(
    (id): Fact => [
      `ids: the warehouse id ${id} has a bad form`,
      (world) => refusalOf(world, { warehouse_id: id }),
      invalidExactly(`${id} is not a valid endpoint id.`),
    ],
  ),
  ['ids: a warehouse that is unknown', (world) => refusalOf(world, { warehouse_id: '0123456789abcdef' }), denied],
  [
    'ids: a warehouse that the caller may not use',
    async (world) => {
      const warehouse_id = await running(world);
      const other = await person(world.bench, 'licensed');
      return refusal(await other('POST', STATEMENTS, { warehouse_id, statement: 'SELECT 1' }));
    },
    denied,
  ],
  ['ids: a statement id that is no UUID', async ({ ask }) => refusal(await ask('GET', `${STATEMENTS}/x`)), badId],
  ['ids: the same for its chunks', (world) => chunk(world, 'x', 0), badId],
  ['ids: an unknown UUID', async ({ ask }) => refusal(await ask('GET', `${STATEMENTS}/${UNKNOWN_ID}`)), notFound],
  ['ids: a chunk of an unknown UUID', (world) => chunk(world, UNKNOWN_ID, 0), notFound],
  [
    'ids: the statement of somebody else is not found',
    async (world) => {
      const { statement_id } = await answer(world, 'SELECT 1');
      const other = await person(world.bench, 'licensed');
      return refusal(await other('GET', `${STATEMENTS}/${statement_id}`));
    },
    notFound,
  ],
  ...[1, 999_999_999, '-1', 'x'].map(
    (index): Fact => [
      `ids: the chunk ${index} is beyond the end`,
      async (world) => chunk(world, (await answer(world, 'SELECT 1')).statement_id, index),
      invalidExactly(`The chunk_index ${index} is out of bounds.`),
    ],
  ),
  [
    'ids: a chunk of a statement that failed',
    async (world) => chunk(world, (await answer(world, 'SELECT 1/0')).statement_id, 0),
    notFound,
  ],
  ['ids: a chunk of a statement that waits', async (world) => chunk(world, await waiting(world), 0), notFound],
];

const LENIENCY: readonly Fact[] = [
  ['leniency: unknown members are ignored', (world) => refusalOf(world, { nope: { a: [1] } }), OK],
  ...['disposition', 'format', 'on_wait_timeout'].map(
    (field): Fact => [
      `leniency: an unknown ${field} is ignored`,
      async (world) => {
        const {
          manifest: { format },
          result,
        } = await answer(world, 'SELECT 1', { [field]: 'NOPE' });
        return [format, result.data_array];
      },
      ['JSON_ARRAY', [['1']]],
    ],
  ),
  [
    'leniency: text/plain is read as JSON',
    async (world) => {
      const body = { warehouse_id: await running(world), statement: 'SELECT 1' };
      return refusal(await world.ask('POST', STATEMENTS, body, { 'content-type': 'text/plain' }));
    },
    OK,
  ],
  [
    'leniency: what is no JSON is malformed',
    async ({ ask }) => refusal(await ask('POST', STATEMENTS, '{')),
    refused('MALFORMED_REQUEST'),
  ],
  [
    'leniency: nothing at all lacks its fields',
    async ({ ask }) => refusal(await ask('POST', STATEMENTS, '')),
    refused('BAD_REQUEST'),
  ],
  [
    'leniency: a trailing slash',
    async (world) => {
      const { statement_id } = await good(
        world.ask('POST', `${STATEMENTS}/`, { warehouse_id: await running(world), statement: 'SELECT 1' }),
      );
      return [await read(world, `${statement_id}/`), await chunk(world, statement_id, '0/')];
    },
    [expect.objectContaining({ status: SUCCEEDED }), OK],
  ],
  [
    'leniency: cancel of what waits',
    async (world) => {
      const id = await waiting(world);
      return [await good(world.ask('POST', `${STATEMENTS}/${id}/cancel`)), (await read(world, id)).status];
    },
    [{}, { state: 'CANCELED' }],
  ],
  [
    'leniency: cancel of what is over changes nothing',
    async (world) => {
      const before = await answer(world, 'SELECT 1');
      const said = await good(world.ask('POST', `${STATEMENTS}/${before.statement_id}/cancel`));
      const after = await read(world, before.statement_id);
      return [said, after.status, after.result];
    },
    [{}, SUCCEEDED, expect.objectContaining({ data_array: [['1']] })],
  ],
  ...[UNKNOWN_ID, 'x'].map(
    (id): Fact => [
      `leniency: cancel of the unknown ${id}`,
      ({ ask }) => good(ask('POST', `${STATEMENTS}/${id}/cancel`)),
      {},
    ],
  ),
  [
    'leniency: cancel of what somebody else runs changes nothing',
    async (world) => {
      const id = await waiting(world);
      const other = await person(world.bench, 'licensed');
      return [await good(other('POST', `${STATEMENTS}/${id}/cancel`)), (await read(world, id)).status];
    },
    [{}, { state: 'PENDING' }],
  ],
  [
    'leniency: DELETE answers and has no effect',
    async (world) => {
      const { statement_id } = await answer(world, 'SELECT 1');
      const said = await good(world.ask('DELETE', `${STATEMENTS}/${statement_id}`));
      return [said, (await read(world, statement_id)).status];
    },
    [{}, SUCCEEDED],
  ],
];

checkFacts('facts about SQL statements: refusals', [...MISTAKES, ...IDS, ...LENIENCY]);
