/** The pauses before a container is started again, as kubelets make them: doubling from ten seconds up to five minutes. */
const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;

/** A container that has run for this long is taken for healthy: its next end counts as the first. */
const FORGIVEN_AFTER_MS = 600_000;

/** After so many failures in a row; the first restart comes at once. */
export function restartDelay(failures: number): number {
  return failures <= 1 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 2), LONGEST_MS);
}

/** For what never got to run: an image or a volume that cannot be had. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}

export const failuresAfter = (failures: number, ranForMs: number): number =>
  ranForMs >= FORGIVEN_AFTER_MS ? 1 : failures + 1;
