import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Faults } from '../faults/index.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { Collection, Store, Stored, Tx } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type BoundWork, boundWork } from '../work/kind.ts';
import { settle } from '../work/settle.ts';
import { type BoundPolicy, bindPolicy } from './bound-policy.ts';
import { type DeliveryContext, PUMP } from './context.ts';
import { InFlightMemory } from './in-flight-memory.ts';
import { checkPolicy, type DeliveryPolicy } from './policy.ts';
import { Pump } from './pump.ts';
import { type CancelSelection, DeliveryQueue, type NewDelivery } from './queue.ts';
import { type DeliveryRecord, deliveries, deliveryBodies, destinations } from './records.ts';
import { Retention, type RetentionLimits } from './retention.ts';
import type { SentMessage } from './tally.ts';

export { openUntil } from './circuit.ts';
export { firstIdAt } from './ids.ts';
export { failureOf, outcomeOf, replyOf } from './outcomes.ts';
export type {
  AttemptResult,
  DeliveryEnd,
  DeliveryPolicy,
  DueDelivery,
  EndCause,
  EndedDelivery,
  Message,
  Outcome,
  Prepared,
  Reply,
  Verdict,
} from './policy.ts';
export { type BatchRules, standardVerdict } from './policy.ts';
export {
  type AskOptions,
  ask,
  type QuestionEnd,
  Questions,
  questionPolicy,
  withoutSecrets,
  withParameter,
} from './question.ts';
export type { CancelSelection, NewDelivery } from './queue.ts';
export {
  type Attempt,
  DELIVERY_STATES,
  type DeliveryRecord,
  type DestinationRecord,
  deliveries,
  deliveryBodies,
  destinations,
  laneOfEnded,
  laneOfQueue,
  ownerOf,
  queueOf,
  shortened,
} from './records.ts';
export type { SentMessage } from './tally.ts';
export { openTarget } from './target.ts';
export { newClientState, plainAddress, plainUrl, urlFor } from './travel.ts';

export interface DeliveryOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outbound: OutboundClient;
  readonly faults: Faults;
  /** Names of all policies, also of services that are not open yet. */
  readonly policies: readonly string[];
  /** Opens the service of a policy, which then calls `use`. */
  readonly open: (policy: string) => Promise<unknown>;
  readonly retention?: Partial<RetentionLimits>;
}

export interface DeliveryEngine {
  /** The engine's kinds of due work. */
  readonly work: readonly BoundWork[];
  /** Names of all policies in this release. */
  readonly policies: ReadonlySet<string>;
  /** Registers the policies of an open service; their functions are called with `context`. */
  use<Context>(policies: readonly DeliveryPolicy<Context>[], context: Context): void;
  /**
   * Opens the service of a policy if it is not open. Needed before a transaction that queues messages, if the service may not be loaded yet
   * (for example when it received something on its own port).
   */
  ready(policy: string): Promise<void>;
  /** Queues a message in the transaction that causes it; it is sent until it arrives or is abandoned by its policy. Returns its id. */
  enqueue(tx: Tx, delivery: NewDelivery): Promise<string>;
  /** Cancels what is queued for an owner or a destination; returns the number. Messages that are being sent may still arrive. */
  cancel(tx: Tx, selection: CancelSelection, rule?: string): Promise<number>;
  /** Forgets the failures of a destination and ends its probation, because it now leads to another receiver. */
  forgive(tx: Tx, destination: { readonly policy: string; readonly destination: string }): Promise<void>;
  /** Makes a queued delivery due at once, whatever its schedule. Returns false if it is not queued. */
  makeDueNow(tx: Tx, id: string): Promise<boolean>;
  /** Queues a delivery again, due at once, with all its attempts and its full time to live. */
  replay(tx: Tx, stored: Stored<DeliveryRecord>): Promise<DeliveryRecord>;
  /** Removes the delivery if it was not changed since it was read; returns whether it was removed. */
  remove(tx: Tx, stored: Stored<DeliveryRecord>): Promise<boolean>;
  /** Registers a listener for every attempt and every end, for metrics. */
  observe(listener: (service: string, outcome: string) => void): void;
  /** Registers a listener for every message sent and its outcome, for logs. */
  watch(listener: (message: SentMessage) => void): void;
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const deliveryCollections: readonly Collection<any>[] = [deliveries, deliveryBodies, destinations];

export const deliveryWork = [PUMP] as const;

/** Retry interval for deliveries whose policy this release does not have. */
const UNKNOWN_POLICY_MS = 3_600_000;

export function createDelivery(options: DeliveryOptions): DeliveryEngine {
  const { store, clock, log, metrics } = options;
  const declared = new Set<string>();
  for (const name of options.policies) {
    if (declared.has(name)) throw new Error(`the delivery policy '${name}' is declared twice`);
    declared.add(name);
  }
  const policies = new Map<string, BoundPolicy>();
  const ready = async (name: string): Promise<void> => {
    if (declared.has(name) && !policies.has(name)) await options.open(name);
  };
  const listeners: ((service: string, outcome: string) => void)[] = [];
  const watchers: ((message: SentMessage) => void)[] = [];
  const context: DeliveryContext = {
    ...options,
    policies,
    inFlightMemory: new InFlightMemory(),
    running: new Map(),
    count(service, outcome) {
      if (outcome !== 'retried') retention.ended();
      for (const listener of listeners) listener(service, outcome);
    },
    sent(message) {
      for (const watcher of watchers) watcher(message);
    },
  };
  const queue = new DeliveryQueue(context);
  const retention = new Retention(context, queue, options.retention);
  metrics.collectedGauge({
    name: 'cloudjar_delivery_oldest_due_age_seconds',
    help: "How long the oldest due delivery has been waiting, by the jar's clock.",
    async collect() {
      const due = await store.work.nextDue([PUMP.kind]);
      return due === undefined ? 0 : Math.max(0, clock.now() - due) / 1000;
    },
  });
  const pump = boundWork(PUMP, async (item, halt) => {
    const { policy: name, destination } = item.payload;
    await ready(name);
    const policy = policies.get(name);
    if (!policy) {
      log.warn({ policy: name, destination }, 'deliveries wait for a policy that this release does not have');
      return settle(store, item, async () => clock.now() + UNKNOWN_POLICY_MS);
    }
    await new Pump(context, policy, destination).run(item, halt);
    await retention.tidy();
  });
  return {
    policies: declared,
    work: [pump],
    use(given, policyContext) {
      for (const policy of given) {
        checkPolicy(policy);
        policies.set(policy.name, bindPolicy(policy, policyContext));
      }
    },
    ready,
    enqueue: (tx, delivery) => queue.enqueue(tx, delivery),
    cancel: (tx, selection, rule) => queue.cancel(tx, selection, rule),
    forgive: (tx, destination) => queue.forgive(tx, destination),
    makeDueNow: (tx, id) => queue.makeDueNow(tx, id),
    replay: (tx, stored) => queue.replay(tx, stored),
    remove: (tx, stored) => queue.remove(tx, stored),
    observe: (listener) => listeners.push(listener),
    watch: (listener) => watchers.push(listener),
  };
}
