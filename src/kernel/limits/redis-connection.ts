import { ConfigError } from '../config/config.ts';
import type { Logger } from '../telemetry/log.ts';
import { later, nextTurn, processTime } from '../time/timers.ts';

/** As little of a Redis client as is needed here. */
export interface RedisConnection {
  /** Host and port, without what is secret in the url. */
  readonly address: string;
  readonly isReady: boolean;
  /** Rejects when there is no connection, or no answer for a while. */
  send(command: string[]): Promise<unknown>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const LONGEST_RECONNECT_PAUSE_MS = 1000;

/** Fails when nothing answers: whoever names a Redis means it. A connection that is lost later comes back by itself. */
export async function connectRedis(url: string, log: Logger, timeoutMs: number): Promise<RedisConnection> {
  // With the first jar that has a Redis: loading the client takes longer than starting the rest.
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
  // Without a listener an error would end the process; who asks meanwhile is told by the rejection.
  client.on('error', (error) => log.debug({ err: error }, 'the connection to Redis is disturbed'));
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

/** Those who wait for an answer. One timer is set for the oldest of them: one for each would cost more than it guards. */
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

  /** After what has come in meanwhile was read: this process may have been the one that was late. */
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
