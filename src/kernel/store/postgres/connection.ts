import type { ClientBase, QueryConfig } from 'pg';
import { StoreError } from '../errors.ts';
import type { SqlValue } from '../sql/dialect.ts';
import type { Reach } from './reach.ts';

const CONNECT_TIMEOUT_MS = 5000;

/** Loaded only when a jar uses PostgreSQL. */
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
   * Rows as arrays; whoever writes the SQL says what is in them. `name` is for statements that come again and again: they are parsed once a
   * connection.
   */
  query<Row extends readonly unknown[] = unknown[]>(
    sql: string,
    values?: readonly SqlValue[],
    name?: string,
  ): Promise<{ rows: Row[]; count: number }>;
}

/** `patient`: an answer may take any time, as long as the database answers others. */
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
/** Canceled by a time limit of the server (statement, lock, idle transaction), or the server has no connection or memory to give. */
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

/** A standby after a failover, or a server that was made read-only as its disk is full. Another connection may lead to one that takes writes. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_SQLSTATE;
}

/** Turns the driver's errors about connections and overload into the store's own; errors of statements stay as they are. */
export function asStoreError(url: string, error: unknown): unknown {
  if (isLostConnection(error)) return unreachable(url, error);
  const place = `the database at ${placeOf(url)}`;
  if (isReadOnly(error)) return new StoreError('READ_ONLY', `${place} takes no writes`, { cause: error });
  if (!OVERLOADED_SQLSTATE.test(codeOf(error))) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError('BUSY', `${place} is overloaded: ${reason}`, { cause: error });
}

/** One line that names the server and not the password. */
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
