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
export { changeRule, readRule } from './read-rule.ts';
export { isExhausted } from './rule.ts';
export { RulePatchSchema, RuleSchema, RuleViewSchema } from './schema.ts';
export { type FaultSubject, pathMatches } from './subject.ts';

/** The effect on a request, and the rule that caused it. */
export interface AppliedFault extends FaultEffect {
  readonly rule: string;
}

export interface ListedFault {
  readonly rule: FaultRule;
  readonly counts: FaultCounts;
}

export interface Faults {
  /** Whether there are rules that can still fire; requests without faults check only this. */
  readonly armed: boolean;
  /** Whether a rule that can still fire may match this request; reads nothing from the store. */
  concerns(subject: FaultSubject): boolean;
  /** Counts the request for every matching rule and returns the effect of the first one that fires. */
  strike(subject: FaultSubject): Promise<AppliedFault | undefined>;
  /** When it resolves, the rule is active on this node; other nodes follow a moment later. */
  add(rule: NewFaultRule): Promise<ListedFault>;
  /** In order of creation. */
  list(): Promise<ListedFault[]>;
  find(id: string): Promise<ListedFault | undefined>;
  /**
   * Replaces a rule by what `change` makes of it; the rule keeps its id and its place. With `restart` its counts begin anew. Returns
   * undefined if the rule does not exist.
   */
  change(
    id: string,
    change: (rule: FaultRule) => NewFaultRule,
    options: { readonly restart: boolean },
  ): Promise<ListedFault | undefined>;
  /** Returns false if the rule does not exist. */
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
