import { type ProgressStream, progressBar } from '../progress.ts';

/** Shorter runs show no progress. */
const SHOW_AFTER_MS = 800;
const SHOW_EVERY_MS = 250;
const MEGABYTE = 1024 * 1024;

export interface LineProgress {
  update(bytes: number, lines: number): void;
  clear(): void;
}

/** Progress line: bytes read, of the total if that is known, and the speed. */
export function lineProgress(
  stream: ProgressStream,
  bytesInAll: number | undefined,
  now: () => number = () => performance.now(),
): LineProgress {
  const bar = progressBar(stream);
  const began = now();
  let showNext = began + SHOW_AFTER_MS;
  return {
    update(bytes, lines) {
      const time = now();
      if (time < showNext) return;
      showNext = time + SHOW_EVERY_MS;
      const speed = Math.round(lines / ((time - began) / 1000)).toLocaleString('en');
      const read = bytesInAll === undefined ? megabytes(bytes) : `${megabytes(bytes)} of ${megabytes(bytesInAll)}`;
      bar.update(bytesInAll ? bytes / bytesInAll : undefined, `${read} MB, ${speed} lines/s`);
    },
    clear: () => bar.clear(),
  };
}

const megabytes = (bytes: number): string =>
  (bytes / MEGABYTE).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
