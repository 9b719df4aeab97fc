/**
 * The only file that asks the system for the time or sets a timer. What a user can see goes by the jar's clock; this is for
 * what happens outside of it: sharing a commit, waiting for a database, leases, timeouts of connections, how long a thing took.
 */

// As they are when the jar is loaded: a test suite in the same process may replace them later by timers that it moves by hand.
// Intervals are not among them: they are for tidying up, which can wait.
const { setTimeout, clearTimeout, setImmediate } = globalThis;

/** `setTimeout` fires at once when asked for more than this. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Milliseconds since 1970 by the system's clock. */
export const wallNow: () => number = Date.now;

/** Milliseconds that only ever go forward, counted from the start of the process. */
export const processTime = (): number => performance.now();

/** Runs `callback` after what the current turn of the event loop has already brought in. */
export function nextTurn(callback: () => void): void {
  setImmediate(callback);
}

/** Runs `callback` once after `ms` of real time, unless the function it gives is called before. */
export function after(ms: number, callback: () => void): () => void {
  let left = Math.max(0, Math.ceil(ms));
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const part = Math.min(left, LONGEST_TIMEOUT_MS);
    left -= part;
    timer = setTimeout(() => (left > 0 ? arm() : callback()), part);
  };
  arm();
  return () => clearTimeout(timer);
}

/** Like `after`, without keeping the process alive for it. */
export function later(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Runs `callback` every `ms` of real time until the function it gives is called. */
export function every(ms: number, callback: () => void): () => void {
  const timer = setInterval(callback, ms);
  return () => clearInterval(timer);
}

/** Resolves after `ms` of real time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void after(ms, resolve));
}

/** Waits for the promise, but no longer than `ms` of real time. */
export async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  const cancel = after(ms, resolve);
  try {
    await Promise.race([promise, time]);
  } finally {
    cancel();
  }
}
