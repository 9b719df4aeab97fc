import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';

/** How long the machines take, by the jar's clock. No source publishes numbers; these are what people see most. */
export const TIMING = {
  /** New machines from the cloud; out of a pool they are there already. */
  startMs: 4 * MINUTE_MS,
  startFromPoolMs: 1 * MINUTE_MS,
  restartMs: 2 * MINUTE_MS,
  resizeMs: 2 * MINUTE_MS,
  terminateMs: 1 * MINUTE_MS,
  /** A library is found, then downloaded, then installed on all nodes. */
  libraryResolveMs: 5 * SECOND_MS,
  libraryDownloadMs: 10 * SECOND_MS,
  libraryInstallMs: 30 * SECOND_MS,
  /** A terminated cluster is in lists for so long, and is known by its id for so long. */
  listedMs: 30 * DAY_MS,
  keptMs: 60 * DAY_MS,
} as const;

/** How many clusters of a workspace may be pinned at once. */
export const MOST_PINNED = 100;
