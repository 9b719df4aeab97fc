import { constants } from 'node:os';
import type { Logger } from '../kernel/telemetry/log.ts';
import { EXIT_FAILED } from './errors.ts';

export interface Lifetime {
  readonly log: Logger;
  /** Finishes running work and releases all resources. */
  close(): Promise<void>;
  /** Reports events to programs that read the output. */
  say(record: LifetimeEvent): void;
}

export interface LifetimeEvent {
  readonly event: 'stopping' | 'stopped';
  readonly signal?: string;
  /** The request that ended the jar, if it was not a signal. */
  readonly request?: string;
}

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a terminal, Ctrl-C sends the signal twice: from the terminal, and from npm, which forwards it. Only a second signal after this time
 * forces an immediate exit.
 */
const REPEATED_SIGNAL_MS = 250;

/** Keeps the process alive until a signal, and then closes it in order. Returns a function that ends it without a signal. */
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
      if (performance.now() - stoppedAt > REPEATED_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
      return;
    }
    stoppedAt = performance.now();
    say({ event: 'stopping', signal });
    void end(0);
  };
  for (const signal of STOPS) process.on(signal, stop);

  // A failed request must not end the other requests.
  process.on('unhandledRejection', (reason) =>
    log.error({ err: asError(reason) }, 'a promise rejection was not handled'),
  );

  // After an uncaught exception the state in memory cannot be trusted; stored state can.
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
