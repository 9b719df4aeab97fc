import type { InboxSource } from './inbox.ts';
import type { Send } from './send.ts';
import type { AdvanceResult } from './types/jar.d.ts';

/**
 * Access to the jar. Most helpers use the control API, wherever the jar runs. These functions are the ones that a jar in the same process
 * implements without requests (which the test would see among its own) and with notifications instead of polling.
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
