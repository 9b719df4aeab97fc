import { constants } from 'node:os';
import type { Logger } from '../kernel/telemetry/log.ts';
import { EXIT_FAILED } from './errors.ts';

export interface Lifetime {
  readonly log: Logger;
  /** Finishes what is in flight and gives everything back. */
  close(): Promise<void>;
  /** For programs that follow the output. */
  say(record: LifetimeEvent): void;
}

export interface LifetimeEvent {
  readonly event: 'stopping' | 'stopped';
  readonly signal?: string;
  /** What was asked for, where no signal came. */
  readonly request?: string;
}

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a terminal, Ctrl-C reaches the jar from the terminal and once more from npm, which passes it on. Only a signal that
 * comes later than this after the first is somebody who no longer wants to wait.
 */
const SAME_WISH_MS = 250;

/** Keeps the process alive until a signal, and ends it in order. Gives what ends it without one. */
export function keepRunning({ log, close, say }: Lifetime): () => void {
  let stoppedAt: number | undefined;

  const end = async (exitCode: number): Promise<never> => {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'closing failed');
      await log.flush().catch(() => {});
      process.exit(EXIT_FAILED);
    }
    say({ event: 'stopped' });
    process.exit(exitCode);
  };

  const stop = (signal: (typeof STOPS)[number]): void => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_WISH_MS) process.exit(128 + constants.signals[signal]);
      return;
    }
    stoppedAt = performance.now();
    say({ event: 'stopping', signal });
    void end(0);
  };
  for (const signal of STOPS) process.on(signal, stop);

  // One request that went wrong must not take the others with it.
  process.on('unhandledRejection', (reason) =>
    log.error({ err: asError(reason) }, 'a promise was rejected and nobody cared'),
  );

  // After an exception that nobody caught, the state in memory cannot be trusted; what is stored can.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: asError(error) }, 'an exception was not caught: the jar stops');
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    void end(EXIT_FAILED);
  });

  return () => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    say({ event: 'stopping', request: 'POST /_jar/stop' });
    void end(0);
  };
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
