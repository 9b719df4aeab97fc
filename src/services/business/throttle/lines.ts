import type { Decision } from '../../../kernel/limits/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { later } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { QUEUED } from './limits.ts';
import { begin, type Requester, type ThrottledCall, takeRoom, tooMany } from './step.ts';
import { inWords, timesOf } from './times.ts';

/** Polling interval: capacity can also be freed by another node or by a raised limit. */
const LOOK_AGAIN_MS = 500;

/** Retry-After for requests that have waited too long. */
const RETRY_AFTER_SECONDS = 10;

interface Waiter {
  enter(room: Decision): void;
}

/** Waiting requests of one user, first in, first out. */
interface Line {
  readonly waiters: Set<Waiter>;
  isMoving: boolean;
  /** A further check was requested while one was running. */
  isLookNeeded: boolean;
  stopLooking: (() => void) | undefined;
}

/** Queues of all users with waiting requests on this node. */
export class WaitingLines {
  readonly #jar: Jar;
  readonly #lines = new Map<string, Line>();

  constructor(jar: Jar) {
    this.#jar = jar;
  }

  isWaiting(user: string): boolean {
    return this.#lines.has(user);
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
      this.#lines.get(user)?.waiters.delete(waiter);
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
    this.moveUp(user);
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
  moveUp(user: string): void {
    const line = this.#lines.get(user);
    if (!line) return;
    line.isLookNeeded = true;
    if (line.isMoving) return;
    void this.#letIn(user, line);
  }

  async #letIn(user: string, line: Line): Promise<void> {
    line.isMoving = true;
    try {
      while (line.isLookNeeded && line.waiters.size > 0) {
        line.isLookNeeded = false;
        while (line.waiters.size > 0 && (await this.#letFirstIn(user, line)));
      }
    } catch (error) {
      // A limit counted elsewhere may fail; the next check retries.
      this.#jar.log.error({ err: error }, 'queued requests could not be started');
    } finally {
      line.isMoving = false;
    }
  }

  /** Returns false if there is no capacity. */
  async #letFirstIn(user: string, line: Line): Promise<boolean> {
    const room = await takeRoom(this.#jar, user);
    if (!room.allowed) return false;
    const [first] = line.waiters;
    if (!first) {
      // The last waiting request left while capacity was being taken.
      room.release?.();
      return true;
    }
    line.waiters.delete(first);
    first.enter(room);
    return true;
  }

  #join(user: string, waiter: Waiter): void {
    const known = this.#lines.get(user);
    const line = known ?? { waiters: new Set(), isMoving: false, isLookNeeded: false, stopLooking: undefined };
    this.#lines.set(user, line);
    line.waiters.add(waiter);
    this.#keepLooking(user, line);
  }

  #depart(user: string, waiter: Waiter): void {
    const line = this.#lines.get(user);
    if (!line) return;
    line.waiters.delete(waiter);
    if (line.waiters.size > 0) return;
    line.stopLooking?.();
    this.#lines.delete(user);
  }

  #keepLooking(user: string, line: Line): void {
    line.stopLooking ??= later(LOOK_AGAIN_MS, () => {
      line.stopLooking = undefined;
      if (line.waiters.size === 0) return;
      this.moveUp(user);
      this.#keepLooking(user, line);
    });
  }
}

/** Calls back after the longest wait by the jar's clock; after a reset, which sets the clock back, the wait begins anew. */
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
