import type { ClientBase, QueryConfig } from 'pg';
import { StoreError } from '../errors.ts';
import type { SqlValue } from '../sql/dialect.ts';
import type { Reach } from './reach.ts';

const CONNECT_TIMEOUT_MS = 5000;

/** Imported only when a jar uses PostgreSQL. */
export async function loadDriver() {
  const { default: pg } = await import('pg');
  return pg;
}

export function clientOptions(url: string) {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'cloudjar',
  };
}

export interface Connection {
  /**
   * Returns rows as arrays; the caller states their type. Pass `name` for frequent statements: they are then prepared once per connection.
   */
  query<Row extends readonly unknown[] = unknown[]>(
    sql: string,
    values?: readonly SqlValue[],
    name?: string,
  ): Promise<{ rows: Row[]; count: number }>;
}

/** `patient`: a response may take any time while the database answers other queries. */
export function connectionOf(client: ClientBase, reach: Reach, { patient = false } = {}): Connection {
  return {
    async query<Row extends readonly unknown[]>(sql: string, values: readonly SqlValue[] = [], name?: string) {
      const config: QueryConfig & { rowMode: 'array' } = { text: sql, values: [...values], rowMode: 'array' };
      if (name !== undefined) config.name = name;
      const result = await reach.ask(client, () => client.query<Row>(config), patient);
      return { rows: result.rows, count: result.rowCount ?? 0 };
    },
  };
}

const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPIPE',
  'EAI_AGAIN',
]);
/** SQLSTATE classes 08 (connection) and 57P (the server shuts down or starts up). */
const LOST_SQLSTATE = /^(08|57P)/;
const LOST_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|client was closed/i;
/** Cancelled by a time limit of the server (statement, lock, idle transaction), or the server is out of connections or memory. */
const OVERLOADED_SQLSTATE = /^(57014|55P03|25P03|53\d{3})$/;

const READ_ONLY_SQLSTATE = '25006';

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return (
    LOST_CONNECTION.has(code) ||
    LOST_SQLSTATE.test(code) ||
    (error instanceof Error && LOST_MESSAGE.test(error.message))
  );
}

/**
 * A standby after a failover, or a server that became read-only because its disk is full. Another connection may reach a writable server.
 */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_SQLSTATE;
}

/** Converts the driver's errors about connections and overload to store errors; errors of statements are returned unchanged. */
export function asStoreError(url: string, error: unknown): unknown {
  if (isLostConnection(error)) return unreachable(url, error);
  const place = `the database at ${placeOf(url)}`;
  if (isReadOnly(error)) return new StoreError('READ_ONLY', `${place} takes no writes`, { cause: error });
  if (!OVERLOADED_SQLSTATE.test(codeOf(error))) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError('BUSY', `${place} is overloaded: ${reason}`, { cause: error });
}

/** One line that names the server without the password. */
export function unreachable(url: string, error: unknown): StoreError {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return new StoreError('UNREACHABLE', `the database at ${placeOf(url)} does not answer: ${reason}`, { cause: error });
}

export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the given address';
  const { host, pathname } = new URL(url);
  return `${host || 'localhost'}${pathname}`;
}
