import { CliError, EXIT_FAILED, messageOf } from './errors.ts';

/** Set for a jar in the background, which reports its start over the IPC channel. */
export const DETACHED_MARK = 'CLOUDJAR_DETACHED';

/** Report of a jar in the background to the command that waits for it. */
export type StartReport =
  | { readonly ready: true; readonly lines: readonly string[]; readonly record: object }
  | {
      readonly ready: false;
      readonly message: string;
      readonly exitCode: number;
      /** Another process uses the data folder. */
      readonly inUse?: boolean;
    };

/** True if this process was started to run in the background. */
export const isDetached = (): boolean => process.env[DETACHED_MARK] === '1' && process.send !== undefined;

/** Reports the start and disconnects from the waiting command. */
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
