import { expect } from 'vitest';
import { invalid, type World } from '../compute/facts.ts';
import { control, good, refusal } from '../support.ts';
import { running } from './facts.ts';

export const STATEMENTS = '/sql/statements';
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Runs a statement on a running warehouse. */
export const run = async (world: World, statement: string, more: object = {}) =>
  world.ask('POST', STATEMENTS, { warehouse_id: await running(world), statement, ...more });
export const answer = (world: World, statement: string, more: object = {}) => good(run(world, statement, more));
export const refusalOf = async (world: World, more: object) => refusal(await run(world, 'SELECT 1', more));
export const status = async (world: World, statement: string, more: object = {}) =>
  (await answer(world, statement, more)).status;
export const cells = async (world: World, statement: string, more: object = {}): Promise<unknown> =>
  (await answer(world, statement, more)).result.data_array;
export const manifest = async (world: World, statement: string, more: object = {}) =>
  (await answer(world, statement, more)).manifest;
export const read = (world: World, id: string) => good(world.ask('GET', `${STATEMENTS}/${id}`));
export const chunk = async (world: World, id: string, index: number | string) =>
  refusal(await world.ask('GET', `${STATEMENTS}/${id}/result/chunks/${index}`));

/** A statement that waits for its warehouse to start. */
export const waiting = async (world: World, more: object = {}): Promise<string> => {
  const { id } = await good(world.ask('POST', '/sql/warehouses', { name: 'slow' }));
  const body = { warehouse_id: id, statement: 'SELECT 1', wait_timeout: '0s', ...more };
  return (await good(world.ask('POST', STATEMENTS, body))).statement_id;
};

/** Sets the result of a statement with this text. */
export const set = ({ bench }: World, body: object) => good(control(bench, 'PUT', 'platform/query-results', body));

export const failed = (sqlState: string, condition: string) => ({
  state: 'FAILED',
  error: {
    error_code: 'BAD_REQUEST',
    message: expect.stringMatching(
      new RegExp(`^\\[${condition}[\\].][\\s\\S]* SQLSTATE: ${sqlState}( \\(line \\d+, pos \\d+\\))?$`),
    ),
  },
  sql_state: sqlState,
});
export const invalidExactly = (message: string) => ({ ...invalid(''), message });
export const SUCCEEDED = { state: 'SUCCEEDED' };

export const LINKS = { disposition: 'EXTERNAL_LINKS' };
export const CSV = { ...LINKS, format: 'CSV' };
/** More than one chunk. */
export const MANY = "SELECT id, repeat('x', 100) AS text FROM range(20000)";
export interface Link {
  readonly external_link: string;
  readonly expiration: string;
}
export const linkOf = async (world: World, more: object = CSV, statement = 'SELECT 1'): Promise<Link> =>
  (await answer(world, statement, more)).result.external_links[0];
/** The content of a link, fetched without a credential. */
export const fetched = async ({ external_link }: Link): Promise<readonly [number, string | null, string]> => {
  const reply = await fetch(external_link);
  return [reply.status, reply.headers.get('content-type'), await reply.text()];
};
