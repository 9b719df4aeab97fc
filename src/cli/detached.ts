import { CliError, EXIT_FAILED, messageOf } from './errors.ts';

/** Set for a jar in the background, which tells by its channel how its start went. */
export const DETACHED_MARK = 'CLOUDJAR_DETACHED';

/** What a jar in the background tells the command that waits for it. */
export type StartReport =
  | { readonly ready: true; readonly lines: readonly string[]; readonly record: object }
  | {
      readonly ready: false;
      readonly message: string;
      readonly exitCode: number;
      /** Another process has the data folder. */
      readonly inUse?: boolean;
    };

/** Whether this process was started to run in the background. */
export const isDetached = (): boolean => process.env[DETACHED_MARK] === '1' && process.send !== undefined;

/** Tells how the start went, and lets go of the command that waits. */
export function reportStart(report: StartReport): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    process.send?.(report, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}

export const failedStart = (error: unknown): StartReport => ({
  ready: false,
  message: messageOf(error),
  exitCode: error instanceof CliError ? error.exitCode : EXIT_FAILED,
  inUse: (error as { code?: unknown } | null)?.code === 'IN_USE',
});
