import type { Tx } from '../store/types.ts';
import type {
  AttemptResult,
  BatchRules,
  DeliveryEnd,
  DeliveryPolicy,
  DueDelivery,
  EndedDelivery,
  Message,
  Prepared,
  Reply,
} from './policy.ts';

/** A policy whose functions are bound to their context; this is what the engine works with. */
export interface BoundPolicy
  extends Omit<
    DeliveryPolicy,
    'batch' | 'prepare' | 'compose' | 'send' | 'secrets' | 'attempted' | 'retryAt' | 'ended'
  > {
  readonly batch?: BatchRules | ((destination: string) => BatchRules | Promise<BatchRules>);
  prepare?(tx: Tx, delivery: DueDelivery): Promise<Prepared | undefined>;
  compose?(batch: readonly DueDelivery[]): Message | Promise<Message>;
  send?(message: Message, signal: AbortSignal): Promise<Reply>;
  secrets?(batch: readonly DueDelivery[]): readonly string[] | Promise<readonly string[]>;
  attempted?(tx: Tx, batch: readonly DueDelivery[], result: AttemptResult): Promise<void>;
  retryAt?(tx: Tx, batch: readonly DueDelivery[]): Promise<number | undefined>;
  ended?(tx: Tx, deliveries: readonly EndedDelivery[], end: DeliveryEnd): Promise<'dead-lettered' | undefined>;
}

export function bindPolicy<Context>(policy: DeliveryPolicy<Context>, context: Context): BoundPolicy {
  const { batch, prepare, compose, send, secrets, attempted, retryAt, ended, ...rest } = policy;
  return {
    ...rest,
    ...(batch && {
      batch: typeof batch === 'function' ? (destination) => batch.call(policy, destination, context) : batch,
    }),
    ...(prepare && { prepare: (tx, due) => prepare.call(policy, tx, due, context) }),
    ...(compose && { compose: (due) => compose.call(policy, due, context) }),
    ...(send && { send: (message, signal) => send.call(policy, message, context, signal) }),
    ...(secrets && { secrets: (due) => secrets.call(policy, due, context) }),
    ...(attempted && { attempted: (tx, due, result) => attempted.call(policy, tx, due, result, context) }),
    ...(retryAt && { retryAt: (tx, due) => retryAt.call(policy, tx, due, context) }),
    ...(ended && { ended: (tx, deliveries, end) => ended.call(policy, tx, deliveries, end, context) }),
  };
}
