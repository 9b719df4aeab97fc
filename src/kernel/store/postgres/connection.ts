import type { ClientBase, Pool, QueryConfig } from 'pg';
import { StoreError } from '../errors.ts';
import type { SqlValue } from '../sql/dialect.ts';

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

export function connectionOf(client: Pool | ClientBase): Connection {
  return {
    async query<Row extends readonly unknown[]>(sql: string, values: readonly SqlValue[] = [], name?: string) {
      const config: QueryConfig & { rowMode: 'array' } = { text: sql, values: [...values], rowMode: 'array' };
      if (name !== undefined) config.name = name;
      const result = await client.query<Row>(config);
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
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i;

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

/** One line that names the server and not the password. */
export function unreachable(url: string, error: unknown): StoreError {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return new StoreError('UNREACHABLE', `the database at ${placeOf(url)} does not answer: ${reason}`, { cause: error });
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the given address';
  const { host, pathname } = new URL(url);
  return `${host || 'localhost'}${pathname}`;
}

/** Lets a given number of tasks run at once, the others in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  async run<R>(task: () => Promise<R>): Promise<R> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
