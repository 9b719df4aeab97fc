import type { pino } from 'pino';
import { later } from '../time/timers.ts';

type Destination = ReturnType<typeof pino.destination>;

export interface Lines {
  write(line: string): void;
  flush(done: (error?: Error) => void): void;
}

/** Writing each line separately costs a busy jar a third of its throughput: lines are written after this many bytes, or after this time. */
const WRITTEN_AT_ONCE_BYTES = 8192;
const WRITTEN_AFTER_MS = 25;

let sharedStandardError: Lines | undefined;

/** Shared by all jars of the process: each destination stays registered until the process ends, to flush what is left. */
export function standardError(
  open: (options: { dest: number; sync: boolean; minLength: number }) => Destination,
): Lines {
  sharedStandardError ??= inTime(open({ dest: 2, sync: false, minLength: WRITTEN_AT_ONCE_BYTES }));
  return sharedStandardError;
}

/**
 * `flush` does nothing while a write is under way, and what comes in meanwhile is not written when it ends, if it is less than the
 * minimum length. So the bytes are counted here, and a write that ends with some left is followed by another one.
 */
function inTime(destination: Destination): Lines {
  let isWaiting = false;
  let left = 0;
  const flushLater = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    later(WRITTEN_AFTER_MS, () => {
      isWaiting = false;
      // No callback, because that would wait for the disk too.
      destination.flush();
    });
  };
  destination.on('write', (bytes: number) => {
    left -= bytes;
  });
  destination.on('drain', () => {
    if (left > 0) flushLater();
  });
  const flush = (done: (error?: Error) => void): void => {
    const before = left;
    destination.flush((error) => {
      // What came in during a write is still left when it ends. If nothing was written, the reader is gone.
      if (left > 0 && left < before) flush(done);
      else done(error);
    });
  };
  return {
    flush,
    write(line) {
      left += Buffer.byteLength(line);
      destination.write(line);
      flushLater();
    },
  };
}
