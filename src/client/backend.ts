import type { InboxSource } from './inbox.ts';
import type { Send } from './send.ts';
import type { AdvanceResult } from './types/jar.d.ts';

/**
 * Where the jar is. Most of what a test does goes through the control API, wherever the jar runs; this is what a jar in the same process
 * does better: without a request that the test would see among its own, and with news instead of polling.
 */
export interface Backend extends InboxSource {
  readonly adminKey: string;
  readonly send: Send;
  now(): Date | Promise<Date>;
  advance(by: string | number): Promise<AdvanceResult>;
  settled(): Promise<void>;
  reset(): Promise<void>;
  saveSnapshot(name: string): Promise<void>;
  restoreSnapshot(name: string): Promise<void>;
}
