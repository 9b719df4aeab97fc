/** Backoff of container restarts, as kubelets do it: from ten seconds, doubling up to five minutes. */
const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;

/** A container that ran for this long counts as healthy: its next failure is number one again. */
const FORGIVEN_AFTER_MS = 600_000;

/** `failures` counts consecutive failures. The first restart happens at once. */
export function restartDelay(failures: number): number {
  return failures <= 1 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 2), LONGEST_MS);
}

/** Delay after a container could not be started, for example because an image or a volume is missing. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}

export const failuresAfter = (failures: number, ranForMs: number): number =>
  ranForMs >= FORGIVEN_AFTER_MS ? 1 : failures + 1;
