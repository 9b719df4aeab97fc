import { ConfigError } from '../config/config.ts';
import type { Logger } from '../telemetry/log.ts';
import { later, nextTurn, processTime } from '../time/timers.ts';

/** The part of a Redis client that is used here. */
export interface RedisConnection {
  /** Host and port, without the secrets of the URL. */
  readonly address: string;
  readonly isReady: boolean;
  /** Rejects if there is no connection, or no answer within the timeout. */
  send(command: string[]): Promise<unknown>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const LONGEST_RECONNECT_PAUSE_MS = 1000;

/** Throws if no server answers: a configured Redis is required at start. A connection that is lost later is restored automatically. */
export async function connectRedis(url: string, log: Logger, timeoutMs: number): Promise<RedisConnection> {
  // Imported by the first jar that uses Redis: loading the client takes longer than the rest of a start.
  const { default: redis } = await import('@redis/client');
  const address = new URL(url).host;
  let connected = false;
  const client = redis.createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries, cause) =>
        connected ? Math.min(LONGEST_RECONNECT_PAUSE_MS, 50 * 2 ** Math.min(retries, 10)) : cause,
    },
  });
  // Without a listener, an error event would end the process; calls made meanwhile reject.
  client.on('error', (error) => log.debug({ err: error }, 'an error on the connection to Redis'));
  try {
    await client.connect();
    connected = true;
  } catch (error) {
    client.destroy();
    throw new ConfigError(`no Redis answers at ${address}: ${(error as Error).message || String(error)}`);
  }
  const waiting = new Waiting(timeoutMs, () => new Error(`the Redis at ${address} does not answer in time`));
  return {
    address,
    get isReady() {
      return client.isReady;
    },
    send: (command) => waiting.join(client.sendCommand(command)),
    async close() {
      client.destroy();
      waiting.end();
    },
  };
}

interface Waiter {
  readonly since: number;
  readonly reject: (error: Error) => void;
}

/** Pending calls. One timer is set for the oldest of them; a timer for each would cost more than the calls. */
class Waiting {
  readonly #waiters = new Set<Waiter>();
  readonly #timeoutMs: number;
  readonly #late: () => Error;
  #cancel: (() => void) | undefined;

  constructor(timeoutMs: number, late: () => Error) {
    this.#timeoutMs = timeoutMs;
    this.#late = late;
  }

  join<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter = { since: processTime(), reject };
      this.#waiters.add(waiter);
      if (this.#cancel === undefined) this.#lookIn(this.#timeoutMs);
      answer.then(
        (value) => {
          this.#waiters.delete(waiter);
          resolve(value);
        },
        (error) => {
          this.#waiters.delete(waiter);
          reject(error);
        },
      );
    });
  }

  end(): void {
    this.#cancel?.();
  }

  /** Runs after pending input was read: this process itself may have been delayed. */
  #lookIn(ms: number): void {
    this.#cancel = later(ms, () => nextTurn(() => this.#look()));
  }

  #look(): void {
    this.#cancel = undefined;
    const now = processTime();
    for (const waiter of this.#waiters) {
      const left = waiter.since + this.#timeoutMs - now;
      if (left > 0) {
        this.#lookIn(left);
        return;
      }
      this.#waiters.delete(waiter);
      waiter.reject(this.#late());
    }
  }
}
