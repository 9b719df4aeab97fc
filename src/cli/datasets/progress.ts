import { type ProgressStream, progressBar } from '../progress.ts';

const SHOW_AFTER_MS = 800;
const SHOW_EVERY_MS = 250;
const MEGABYTE = 1024 * 1024;

export interface RowProgress {
  /** `share` is undefined if the total is unknown. */
  update(share: number | undefined, rows: number, bytes: number): void;
  clear(): void;
}

const SILENT: RowProgress = { update: () => {}, clear: () => {} };

/** Progress line with rows, rows per second and bytes; shown on terminals, not in logs. */
export function rowProgress(
  stream: ProgressStream,
  quiet = false,
  now: () => number = () => performance.now(),
): RowProgress {
  const { CI = '' } = process.env;
  if (quiet || !stream.isTTY || (CI !== '' && CI !== 'false')) return SILENT;
  const bar = progressBar(stream);
  const began = now();
  let showNext = began + SHOW_AFTER_MS;
  return {
    update(share, rows, bytes) {
      const time = now();
      if (time < showNext) return;
      showNext = time + SHOW_EVERY_MS;
      const rate = Math.round(rows / ((time - began) / 1000));
      bar.update(share, `${counted(rows)} rows, ${counted(rate)} rows/s, ${megabytes(bytes)} MB`);
    },
    clear: () => bar.clear(),
  };
}

export const counted = (count: number): string => count.toLocaleString('en');

export const rowsText = (count: number): string => (count === 1 ? '1 row' : `${counted(count)} rows`);

const megabytes = (bytes: number): string =>
  (bytes / MEGABYTE).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
