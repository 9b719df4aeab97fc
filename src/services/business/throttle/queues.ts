import type { Decision } from '../../../kernel/limits/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { later } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { QUEUED } from './limits.ts';
import { begin, type Requester, type ThrottledCall, takeRoom, tooMany } from './step.ts';
import { inWords, timesOf } from './times.ts';

/** Polling interval: capacity can also be freed by another node or by a raised limit. */
const POLL_MS = 500;

/** Retry-After for requests that have waited too long. */
const RETRY_AFTER_SECONDS = 10;

interface Waiter {
  enter(room: Decision): void;
}

/** Waiting requests of one user, first in, first out. */
interface Queue {
  readonly waiters: Set<Waiter>;
  isChecking: boolean;
  /** A further check was requested while one was running. */
  isCheckNeeded: boolean;
  stopPolling: (() => void) | undefined;
}

/** Queues of all users with waiting requests on this node. */
export class RequestQueues {
  readonly #jar: Jar;
  readonly #queues = new Map<string, Queue>();

  constructor(jar: Jar) {
    this.#jar = jar;
  }

  isWaiting(user: string): boolean {
    return this.#queues.has(user);
  }

  /**
   * Resolves when the request may run. Throws 429 if too many requests wait, 503 after the longest wait; stops waiting if the client
   * disconnects.
   */
  async waitForRoom(call: ThrottledCall, { user, client }: Requester): Promise<void> {
    const { signal } = call;
    const { limits, closing: jarClosing } = this.#jar;
    const place = await limits.take([{ limit: QUEUED, scope: [user] }], client);
    if (!place.allowed) throw tooMany(place);
    const { promise, resolve, reject } = Promise.withResolvers<Decision>();
    const waiter: Waiter = { enter: resolve };
    const leave = (reason: string, headers: Record<string, string> = {}): void => {
      // Removed immediately, so that no capacity is given to a request that has left.
      this.#queues.get(user)?.waiters.delete(waiter);
      reject(errors.ServiceUnavailable({ reason }, { headers }));
    };
    const gone = (): void => leave('The client disconnected while its request was queued.');
    const closing = (): void => leave('The jar is closing.');
    const endWait = limitWait(this.#jar, (waited) => {
      const reason = `The request was queued for ${inWords(waited)} and could not be started.`;
      leave(reason, { 'retry-after': String(RETRY_AFTER_SECONDS) });
    });
    signal.addEventListener('abort', gone);
    jarClosing.addEventListener('abort', closing);
    this.#join(user, waiter);
    if (signal.aborted) gone();
    if (jarClosing.aborted) closing();
    this.startNext(user);
    try {
      begin(call, user, await promise);
    } finally {
      this.#depart(user, waiter);
      endWait();
      signal.removeEventListener('abort', gone);
      jarClosing.removeEventListener('abort', closing);
      place.release?.();
    }
  }

  /** Starts as many waiting requests as there is capacity for. */
  startNext(user: string): void {
    const queue = this.#queues.get(user);
    if (!queue) return;
    queue.isCheckNeeded = true;
    if (queue.isChecking) return;
    void this.#startQueued(user, queue);
  }

  async #startQueued(user: string, queue: Queue): Promise<void> {
    queue.isChecking = true;
    try {
      while (queue.isCheckNeeded && queue.waiters.size > 0) {
        queue.isCheckNeeded = false;
        while (queue.waiters.size > 0 && (await this.#startFirst(user, queue)));
      }
    } catch (error) {
      // A limit counted elsewhere may fail; the next check retries.
      this.#jar.log.error({ err: error }, 'queued requests could not be started');
    } finally {
      queue.isChecking = false;
    }
  }

  /** Returns false if there is no capacity. */
  async #startFirst(user: string, queue: Queue): Promise<boolean> {
    const room = await takeRoom(this.#jar, user);
    if (!room.allowed) return false;
    const [first] = queue.waiters;
    if (!first) {
      // The last waiting request left while capacity was being taken.
      room.release?.();
      return true;
    }
    queue.waiters.delete(first);
    first.enter(room);
    return true;
  }

  #join(user: string, waiter: Waiter): void {
    const known = this.#queues.get(user);
    const queue = known ?? { waiters: new Set(), isChecking: false, isCheckNeeded: false, stopPolling: undefined };
    this.#queues.set(user, queue);
    queue.waiters.add(waiter);
    this.#keepPolling(user, queue);
  }

  #depart(user: string, waiter: Waiter): void {
    const queue = this.#queues.get(user);
    if (!queue) return;
    queue.waiters.delete(waiter);
    if (queue.waiters.size > 0) return;
    queue.stopPolling?.();
    this.#queues.delete(user);
  }

  #keepPolling(user: string, queue: Queue): void {
    queue.stopPolling ??= later(POLL_MS, () => {
      queue.stopPolling = undefined;
      if (queue.waiters.size === 0) return;
      this.startNext(user);
      this.#keepPolling(user, queue);
    });
  }
}

/** Calls back after the longest wait by the jar's clock; after a reset, which sets the clock back, the wait starts again. */
function limitWait(jar: Jar, tooLong: (waited: number) => void): () => void {
  const { queueMs } = timesOf(jar);
  let cancel = (): void => {};
  const arm = (): void => {
    const until = jar.clock.now() + queueMs;
    cancel = jar.clock.wakeAt(until, () => {
      if (jar.closing.aborted) return;
      if (jar.clock.now() >= until) tooLong(queueMs);
      else arm();
    });
  };
  arm();
  return () => cancel();
}
