import { later } from '../../../kernel/clock/timers.ts';
import type { Call } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Decision } from '../../../kernel/limits/index.ts';
import { errors } from '../errors.ts';
import { QUEUED } from './limits.ts';
import { begin, type Requester, takeRoom, tooMany } from './step.ts';
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

const lines = new WeakMap<Jar, Map<string, Line>>();

const lineOf = (jar: Jar, user: string): Line | undefined => lines.get(jar)?.get(user);

export const isWaiting = (jar: Jar, user: string): boolean => lineOf(jar, user) !== undefined;

/** Resolves when the request may be worked on. Too many wait: 429. Too long: 503. Whose client has left waits no more. */
export async function waitForRoom(call: Call, { user, client }: Requester): Promise<void> {
  const { jar, signal } = call;
  const place = await jar.limits.take([{ limit: QUEUED, scope: [user] }], client);
  if (!place.allowed) throw tooMany(place);
  const { promise, resolve, reject } = Promise.withResolvers<Decision>();
  const waiter: Waiter = { enter: resolve };
  const leave = (reason: string, headers: Record<string, string> = {}): void => {
    // At once, so that no room is given to somebody who has left.
    lineOf(jar, user)?.waiters.delete(waiter);
    reject(errors.ServiceUnavailable({ reason }, { headers }));
  };
  const gone = (): void => leave('The client went away while its request was waiting.');
  const closing = (): void => leave('The jar is closing.');
  const endWait = limitWait(jar, (waited) => {
    const reason = `The request has waited for ${inWords(waited)} and there is still no room for it.`;
    leave(reason, { 'retry-after': String(RETRY_AFTER_SECONDS) });
  });
  signal.addEventListener('abort', gone);
  jar.closing.addEventListener('abort', closing);
  join(jar, user, waiter);
  if (signal.aborted) gone();
  if (jar.closing.aborted) closing();
  moveUp(jar, user);
  try {
    begin(call, user, await promise);
  } finally {
    depart(jar, user, waiter);
    endWait();
    signal.removeEventListener('abort', gone);
    jar.closing.removeEventListener('abort', closing);
    place.release?.();
  }
}

/** Lets in as many as there is room for. */
export function moveUp(jar: Jar, user: string): void {
  const line = lineOf(jar, user);
  if (!line) return;
  line.isLookNeeded = true;
  if (line.isMoving) return;
  void letIn(jar, user, line);
}

async function letIn(jar: Jar, user: string, line: Line): Promise<void> {
  line.isMoving = true;
  try {
    while (line.isLookNeeded && line.waiters.size > 0) {
      line.isLookNeeded = false;
      while (line.waiters.size > 0 && (await letFirstIn(jar, user, line)));
    }
  } catch (error) {
    // Where rates are counted elsewhere that may fail; there will be another look.
    jar.log.error({ err: error }, 'a line of waiting requests could not be moved up');
  } finally {
    line.isMoving = false;
  }
}

/** False when there is no room. */
async function letFirstIn(jar: Jar, user: string, line: Line): Promise<boolean> {
  const room = await takeRoom(jar, user);
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

function join(jar: Jar, user: string, waiter: Waiter): void {
  const ofJar = lines.get(jar) ?? new Map<string, Line>();
  lines.set(jar, ofJar);
  const line = ofJar.get(user) ?? { waiters: new Set(), isMoving: false, isLookNeeded: false, stopLooking: undefined };
  ofJar.set(user, line);
  line.waiters.add(waiter);
  keepLooking(jar, user, line);
}

function depart(jar: Jar, user: string, waiter: Waiter): void {
  const line = lineOf(jar, user);
  if (!line) return;
  line.waiters.delete(waiter);
  if (line.waiters.size > 0) return;
  line.stopLooking?.();
  lines.get(jar)?.delete(user);
}

function keepLooking(jar: Jar, user: string, line: Line): void {
  line.stopLooking ??= later(LOOK_AGAIN_MS, () => {
    line.stopLooking = undefined;
    if (line.waiters.size === 0) return;
    moveUp(jar, user);
    keepLooking(jar, user, line);
  });
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
