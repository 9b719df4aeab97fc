import type { JarClock } from '../clock/types.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { FaultEffect } from './effect.ts';
import { FaultEngine } from './engine.ts';
import { type FaultCounts, type FaultRule, faultCounts, faultRules, type NewFaultRule } from './rule.ts';
import type { FaultSubject } from './subject.ts';

export { bodyOfEffect, type FaultAnswer, type FaultEffect, plainAnswer } from './effect.ts';
export { faultErrors } from './errors.ts';
export { checkAnswerBody, type Refuse, readHeaders, refuseUnknown } from './members.ts';
export { readRule } from './read-rule.ts';
export { isExhausted } from './rule.ts';
export { RuleSchema, RuleViewSchema } from './schema.ts';
export { type FaultSubject, pathMatches } from './subject.ts';

/** What a rule does to the request that it struck, and which rule that was. */
export interface Struck extends FaultEffect {
  readonly rule: string;
}

export interface ListedFault {
  readonly rule: FaultRule;
  readonly counts: FaultCounts;
}

export interface Faults {
  /** Whether there are rules that can still fire: the only thing that a request without faults pays for. */
  readonly armed: boolean;
  /** Whether a rule that can still fire is about this request; costs no look into the store. */
  concerns(subject: FaultSubject): boolean;
  /** Counts the subject against every rule it matches and gives the effect of the first that fires. */
  strike(subject: FaultSubject): Promise<Struck | undefined>;
  /** In force on this node when it resolves, on others a moment later. */
  add(rule: NewFaultRule): Promise<ListedFault>;
  /** In the order in which they were made. */
  list(): Promise<ListedFault[]>;
  find(id: string): Promise<ListedFault | undefined>;
  /** False when there was no such rule. */
  remove(id: string): Promise<boolean>;
  removeAll(): Promise<number>;
}

export interface FaultsOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const faultCollections: readonly Collection<any>[] = [faultRules, faultCounts];

export async function openFaults(options: FaultsOptions): Promise<Faults> {
  const engine = new FaultEngine(options);
  await engine.reload();
  return engine;
}
