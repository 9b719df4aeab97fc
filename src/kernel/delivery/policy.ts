import type { OutboundFailure } from '../outbound/errors.ts';
import type { Tx } from '../store/types.ts';
import type { Attempt } from './records.ts';

/**
 * How a service sends one kind of message: what differs between events, webhooks and whatever comes, as a value. `Context` is what the
 * service wants its functions to be called with.
 */
// biome-ignore lint/suspicious/noExplicitAny: policies of all services are kept side by side, each with its own context
export interface DeliveryPolicy<Context = any> {
  /** `events.webhook`: the name in records, logs and filters; never to change, as queued deliveries carry it. */
  readonly name: string;
  /** Who sends. */
  readonly service: string;
  /** Milliseconds to wait after the first failure, the second, …; the last holds for all further ones. */
  readonly schedule: readonly number[];
  /** Up to this share of the delay is added to it, by chance that depends on the delivery and the attempt alone. */
  readonly jitter?: number;
  /** For one attempt, of real time: a receiver is a real program. 30 seconds unless given. */
  readonly timeoutMs?: number;
  /** Without limit unless given. */
  readonly maxAttempts?: number;
  /** From the enqueueing on; looked at when an attempt is due. Without limit unless given. */
  readonly timeToLiveMs?: number;
  /** What an outcome means; `standardVerdict` unless given. */
  classify?(result: AttemptResult, batch: readonly DueDelivery[]): Verdict;
  /** Headers of answers that are kept beside the usual ones, in lower case. */
  readonly keptHeaders?: readonly string[];
  /** A later time that the receiver asks for by `Retry-After` counts. */
  readonly honourRetryAfter?: boolean;
  /** Several deliveries in one message: by rules for all destinations, or by those that a destination has when a turn of sending to it begins (without a window). */
  readonly batch?: BatchRules | ((destination: string, context: Context) => BatchRules | Promise<BatchRules>);
  /** How many messages to one destination are under way at once; 8 unless given. */
  readonly concurrency?: number;
  /** Strictly in order of enqueueing, one at a time: one that fails holds back those behind it. */
  readonly ordered?: boolean;
  readonly circuit?: CircuitRules;
  /** Plain http is as good as https. */
  readonly plainHttp?: boolean;
  /** How many redirects are followed; none unless given, so that a redirect is an outcome like any other. */
  readonly redirects?: number;
  /**
   * Called right before a message is sent again, in a transaction of its own: to let what has gathered since go along. Gives what to change about
   * the delivery, which is stored in that transaction. Where it throws, the delivery is sent as it was. Not for policies with batches.
   */
  prepare?(tx: Tx, delivery: DueDelivery, context: Context): Promise<Prepared | undefined>;
  /** Makes the message. Unless given: the delivery's own address, headers and body; of several, a JSON array of the bodies. */
  compose?(batch: readonly DueDelivery[], context: Context): Message | Promise<Message>;
  /** Sends by other means than HTTP. */
  send?(message: Message, context: Context, signal: AbortSignal): Promise<Reply>;
  /** The secrets (`whsec_…`) to sign with by the Standard Webhooks scheme; several while one replaces another; none to not sign. */
  secrets?(batch: readonly DueDelivery[], context: Context): readonly string[] | Promise<readonly string[]>;
  /**
   * Told of every attempt, in the transaction that writes what came of it: to keep count of how a receiver answers. Must await nothing but `tx`; if it
   * throws, the delivery is put off as by `ended`.
   */
  attempted?(tx: Tx, batch: readonly DueDelivery[], result: AttemptResult, context: Context): Promise<void>;
  /**
   * When to try again, where the schedule alone cannot say: asked after every attempt that is retried, in the transaction that writes what came of it, and
   * bound like `attempted`. By the schedule where it gives nothing.
   */
  retryAt?(tx: Tx, batch: readonly DueDelivery[], context: Context): Promise<number | undefined>;
  /**
   * Told of every end, in the transaction that makes it: to remove a subscription, or to write a dead letter, which is said by
   * giving 'dead-lettered'. They are written as ended by then. Must await nothing but `tx`; if it throws, the delivery is not over.
   */
  ended?(
    tx: Tx,
    deliveries: readonly EndedDelivery[],
    end: DeliveryEnd,
    context: Context,
  ): Promise<'dead-lettered' | undefined>;
}

/** What `prepare` changes about a delivery. */
export interface Prepared {
  readonly body?: string;
  readonly expiresAt?: number;
}

export interface BatchRules {
  readonly maxItems: number;
  /** Of the bodies together; one that is larger by itself goes alone. */
  readonly maxBytes?: number;
  /** A delivery waits this long for others to come along; what comes while it waits goes with it. No waiting unless given. */
  readonly windowMs?: number;
}

export interface CircuitRules {
  /** So many failures of a destination in a row, whatever the delivery, and nothing more is sent there for a while. */
  readonly afterFailures: number;
  /** For how long the first time, the second, …; the last holds for all further ones. */
  readonly probationMs: readonly number[];
  /** At least this long after a certain outcome. */
  readonly byOutcome?: Readonly<Record<string, number>>;
}

export type Outcome =
  | OutboundFailure
  | 'Succeeded'
  | 'Redirected'
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Gone'
  | 'PayloadTooLarge'
  | 'Busy'
  | 'ClientError'
  | 'ServerError'
  // Brokers and stores have words of their own.
  | (string & {});

/** What came of an attempt. */
export interface AttemptResult {
  /** Absent when there was no answer. */
  readonly status?: number;
  readonly outcome: Outcome;
  readonly error?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the answer. */
  readonly body: string;
  /** Of real time; the latency that a fault orders counts as if it had been. */
  readonly ms: number;
  /** The fault rule that had its hand in it. */
  readonly fault?: string;
  /** By which it was sent over HTTP; absent where it went by other means, or was never composed. */
  readonly method?: string;
}

export type Reply = Omit<AttemptResult, 'ms' | 'fault' | 'method'>;

/** `rule` says in words why; `minDelayMs` puts the next attempt off further than the schedule does. */
export type Verdict =
  | { readonly is: 'delivered' | 'refused'; readonly rule?: string }
  | { readonly is: 'retry'; readonly minDelayMs?: number; readonly rule?: string };

export interface Message {
  readonly url: string;
  readonly method?: 'POST' | 'PUT' | 'GET' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of headers whose values are secret although the names do not say so, in lower case. The query of the address always is. */
  readonly secretHeaders?: readonly string[];
  readonly body: string;
  /** The owner of the receiver asked for no check of its certificate. */
  readonly anyCertificate?: boolean;
}

/** A delivery as its service sees it. */
export interface DueDelivery {
  readonly id: string;
  readonly destination: string;
  readonly owner?: string;
  readonly subject?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly enqueuedAt: number;
  /** Attempts before this one. */
  readonly attempts: number;
  /** For one attempt, instead of the policy's; of several in one message the first one's counts. */
  readonly timeoutMs?: number;
}

export interface EndedDelivery extends DueDelivery {
  /** The attempts that are kept: the first few and the last few. */
  readonly history: readonly Attempt[];
}

/** Why it is over: `refused` by an outcome that is not retried, `exhausted` after the last attempt, `expired` past its time to live. */
export type EndCause = 'delivered' | 'refused' | 'exhausted' | 'expired' | 'cancelled';

export interface DeliveryEnd {
  readonly cause: EndCause;
  /** In words, with the policy's name: `404: not retried by policy business.webhook`. */
  readonly rule: string;
  /** What came of the last attempt; absent where there was none. */
  readonly result?: AttemptResult;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CONCURRENCY = 8;
const RETRIED_STATUSES = new Set([408, 425, 429]);

/** Delivered by 2xx; tried again after 408, 425, 429, 5xx and where there was no answer; refused by anything else. */
export function standardVerdict({ status, outcome }: AttemptResult): Verdict {
  if (status === undefined) return { is: outcome === 'Blocked' || outcome === 'BadAddress' ? 'refused' : 'retry' };
  if (status >= 200 && status < 300) return { is: 'delivered' };
  return { is: status >= 500 || RETRIED_STATUSES.has(status) ? 'retry' : 'refused' };
}

/** A policy is code that types alone do not keep from giving nothing. */
export function isVerdict(verdict: Verdict | undefined): verdict is Verdict {
  if (verdict?.is === 'retry') return (verdict.minDelayMs ?? 0) >= 0;
  return verdict?.is === 'delivered' || verdict?.is === 'refused';
}

export function concurrencyOf(policy: Pick<DeliveryPolicy, 'ordered' | 'concurrency'>): number {
  return policy.ordered ? 1 : (policy.concurrency ?? DEFAULT_CONCURRENCY);
}

/** A policy is code, so a mistake in it is found when the jar starts. */
export function checkPolicy(policy: DeliveryPolicy): void {
  const { name, schedule, jitter = 0, batch, circuit, maxAttempts = 1, timeToLiveMs = 1, timeoutMs = 1 } = policy;
  const wrong = (what: string): Error => new Error(`delivery policy '${name}': ${what}`);
  if (!/^[a-z][a-z0-9.-]*$/i.test(name)) throw wrong('the name may have letters, digits, dots and dashes');
  if (schedule.length === 0 || schedule.some((delay) => !(delay >= 0))) throw wrong('the schedule needs delays');
  if (!(jitter >= 0 && jitter <= 1)) throw wrong('jitter is a share between 0 and 1');
  const concurrency = concurrencyOf(policy);
  if (!(Number.isInteger(concurrency) && concurrency > 0)) throw wrong(`concurrency cannot be ${concurrency}`);
  for (const limit of [maxAttempts, timeToLiveMs, timeoutMs]) if (!(limit > 0)) throw wrong('limits are more than 0');
  if (batch && typeof batch !== 'function' && !arePossible(batch)) throw wrong('the batch rules are impossible');
  if (batch && policy.prepare) throw wrong('what is sent in batches cannot be prepared one by one');
  if (circuit && !(circuit.afterFailures >= 1 && circuit.probationMs.length > 0)) {
    throw wrong('the circuit needs a number of failures and delays');
  }
}

export const arePossible = ({ maxItems, maxBytes = 1, windowMs = 0 }: BatchRules): boolean =>
  maxItems >= 1 && maxBytes > 0 && windowMs >= 0;

/** How long a delivery waits for others; only rules for all destinations can say so. */
export function windowOf({ batch }: { readonly batch?: BatchRules | ((destination: string) => unknown) }): number {
  return typeof batch === 'object' ? (batch.windowMs ?? 0) : 0;
}
