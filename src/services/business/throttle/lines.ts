import type { Decision } from '../../../kernel/limits/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { later } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { QUEUED } from './limits.ts';
import { begin, type Requester, type ThrottledCall, takeRoom, tooMany } from './step.ts';
import { inWords, timesOf } from './times.ts';

/** Room may come from elsewhere than the end of a request here: from another node, or from a limit that was raised. */
const LOOK_AGAIN_MS = 500;

/** What whoever waited in vain is told to wait once more. */
const RETRY_AFTER_SECONDS = 10;

interface Waiter {
  enter(room: Decision): void;
}

/** The requests of one user that wait, first come first served. */
interface Line {
  readonly waiters: Set<Waiter>;
  isMoving: boolean;
  /** Somebody asked for another look while one was under way. */
  isLookNeeded: boolean;
  stopLooking: (() => void) | undefined;
}

/** The lines of all users whose requests wait on this node. */
export class WaitingLines {
  readonly #jar: Jar;
  readonly #lines = new Map<string, Line>();

  constructor(jar: Jar) {
    this.#jar = jar;
  }

  isWaiting(user: string): boolean {
    return this.#lines.has(user);
  }

  /** Resolves when the request may be worked on. Too many wait: 429. Too long: 503. Whose client has left waits no more. */
  async waitForRoom(call: ThrottledCall, { user, client }: Requester): Promise<void> {
    const { signal } = call;
    const { limits, closing: jarClosing } = this.#jar;
    const place = await limits.take([{ limit: QUEUED, scope: [user] }], client);
    if (!place.allowed) throw tooMany(place);
    const { promise, resolve, reject } = Promise.withResolvers<Decision>();
    const waiter: Waiter = { enter: resolve };
    const leave = (reason: string, headers: Record<string, string> = {}): void => {
      // At once, so that no room is given to somebody who has left.
      this.#lines.get(user)?.waiters.delete(waiter);
      reject(errors.ServiceUnavailable({ reason }, { headers }));
    };
    const gone = (): void => leave('The client went away while its request was waiting.');
    const closing = (): void => leave('The jar is closing.');
    const endWait = limitWait(this.#jar, (waited) => {
      const reason = `The request has waited for ${inWords(waited)} and there is still no room for it.`;
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

  /** Lets in as many as there is room for. */
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
      // Where rates are counted elsewhere that may fail; there will be another look.
      this.#jar.log.error({ err: error }, 'a line of waiting requests could not be moved up');
    } finally {
      line.isMoving = false;
    }
  }

  /** False when there is no room. */
  async #letFirstIn(user: string, line: Line): Promise<boolean> {
    const room = await takeRoom(this.#jar, user);
    if (!room.allowed) return false;
    const [first] = line.waiters;
    if (!first) {
      // The last of them left while we asked.
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

/** Calls back when the jar's clock says that it was too long; after a reset, which sets the clock back, the wait begins anew. */
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
