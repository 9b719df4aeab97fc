/**
 * The only file that reads the system time or sets timers. Everything that users can observe uses the jar's clock; these functions are for
 * other purposes: group commits, waiting for a database, leases, connection timeouts, measuring durations.
 */

// Captured when the jar is loaded: a test suite in the same process may later replace them with fake timers. Intervals are not captured:
// they are for cleanup, which can wait.
const { setTimeout, clearTimeout, setImmediate } = globalThis;

/** `setTimeout` fires immediately if the delay is longer than this. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** System time in milliseconds since 1970. */
export const wallNow: () => number = Date.now;

/** Monotonic time in milliseconds since the start of the process. */
export const processTime = (): number => performance.now();

/** Runs `callback` after the current turn of the event loop has handled its pending input. */
export function nextTurn(callback: () => void): void {
  setImmediate(callback);
}

/** Runs `callback` once after `ms` of real time; returns a function that cancels it. */
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

/** Like `after`, but does not keep the process alive. */
export function later(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Runs `callback` every `ms` of real time; returns a function that stops it. */
export function every(ms: number, callback: () => void): () => void {
  const timer = setInterval(callback, ms);
  return () => clearInterval(timer);
}

/** Resolves after `ms` of real time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void after(ms, resolve));
}

/** Waits for the promise, but at most `ms` of real time. */
export async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  const cancel = after(ms, resolve);
  try {
    await Promise.race([promise, time]);
  } finally {
    cancel();
  }
}
