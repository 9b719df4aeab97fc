import type { OutboundFailure } from '../outbound/errors.ts';
import type { Tx } from '../store/types.ts';
import type { Attempt } from './records.ts';

/** How a service sends one kind of message, for example events or webhooks, as a value. `Context` is passed to the policy's functions. */
// biome-ignore lint/suspicious/noExplicitAny: policies of all services are kept side by side, each with its own context
export interface DeliveryPolicy<Context = any> {
  /** Name in records, logs and filters, for example `events.webhook`. Must never change, because queued deliveries contain it. */
  readonly name: string;
  /** The sending service. */
  readonly service: string;
  /** Delays in milliseconds after the first failure, the second, and so on; the last one applies to all further failures. */
  readonly schedule: readonly number[];
  /** Up to this fraction of the delay is added to it, at random but determined by delivery and attempt. */
  readonly jitter?: number;
  /** Limit of one attempt, in real time because receivers are real programs. 30 seconds by default. */
  readonly timeoutMs?: number;
  /** Unlimited by default. */
  readonly maxAttempts?: number;
  /** Measured from enqueueing; checked when an attempt is due. Unlimited by default. */
  readonly timeToLiveMs?: number;
  /** Decides what an outcome means; `standardVerdict` by default. */
  classify?(result: AttemptResult, batch: readonly DueDelivery[]): Verdict;
  /** Response headers to keep in addition to the usual ones, in lower case. */
  readonly keptHeaders?: readonly string[];
  /** Whether `Retry-After` of the receiver can postpone the next attempt. */
  readonly honourRetryAfter?: boolean;
  /**
   * Sends several deliveries in one message: by rules for all destinations, or by rules that are computed per destination at the beginning
   * of a turn (without a window).
   */
  readonly batch?: BatchRules | ((destination: string, context: Context) => BatchRules | Promise<BatchRules>);
  /** Number of concurrent messages to one destination; 8 by default. */
  readonly concurrency?: number;
  /** Strictly in order of enqueueing, one at a time: a failing delivery blocks those behind it. */
  readonly ordered?: boolean;
  readonly circuit?: CircuitRules;
  /** Whether plain HTTP is allowed in addition to HTTPS. */
  readonly plainHttp?: boolean;
  /** Number of redirects to follow; none by default, so that a redirect is an ordinary outcome. */
  readonly redirects?: number;
  /**
   * Called before a message is retried, in a separate transaction: lets the service add what has accumulated since. Returns the changes of
   * the delivery, which are stored in that transaction. If it throws, the delivery is sent unchanged. Not for policies with batches.
   */
  prepare?(tx: Tx, delivery: DueDelivery, context: Context): Promise<Prepared | undefined>;
  /**
   * Creates the message. By default it has the delivery's own URL, headers and body; for several deliveries the body is a JSON array of
   * theirs.
   */
  compose?(batch: readonly DueDelivery[], context: Context): Message | Promise<Message>;
  /** Sends by a protocol other than HTTP. */
  send?(message: Message, context: Context, signal: AbortSignal): Promise<Reply>;
  /** Secrets (`whsec_…`) for signatures of the Standard Webhooks scheme; several during a rotation; none for unsigned messages. */
  secrets?(batch: readonly DueDelivery[], context: Context): readonly string[] | Promise<readonly string[]>;
  /**
   * Called for every attempt, in the transaction that stores its outcome, so that the service can count failures of a receiver. Must await
   * only `tx`; if it throws, the delivery is rescheduled as for `ended`.
   */
  attempted?(tx: Tx, batch: readonly DueDelivery[], result: AttemptResult, context: Context): Promise<void>;
  /**
   * Returns when to retry, if the schedule does not suffice. Called after every attempt that is to be retried, in the same transaction and
   * with the same rules as `attempted`. The schedule applies if it returns undefined.
   */
  retryAt?(tx: Tx, batch: readonly DueDelivery[], context: Context): Promise<number | undefined>;
  /**
   * Called for every end, in the transaction that stores it: to remove a subscription, or to write a dead letter, in which case it returns
   * 'dead-lettered'. The deliveries are stored as ended by then. Must await only `tx`; if it throws, the delivery does not end and is
   * rescheduled.
   */
  ended?(
    tx: Tx,
    deliveries: readonly EndedDelivery[],
    end: DeliveryEnd,
    context: Context,
  ): Promise<'dead-lettered' | undefined>;
}

/** Changes of a delivery by `prepare`. */
export interface Prepared {
  readonly body?: string;
  readonly expiresAt?: number;
}

export interface BatchRules {
  readonly maxItems: number;
  /** Limit of all bodies together; a larger body is sent alone. */
  readonly maxBytes?: number;
  /** How long a delivery waits for others; deliveries queued meanwhile go into the same message. No waiting by default. */
  readonly windowMs?: number;
}

export interface CircuitRules {
  /** Consecutive failures of a destination, across deliveries, that open the circuit. */
  readonly afterFailures: number;
  /** Durations of the first probation, the second, and so on; the last one applies to all further ones. */
  readonly probationMs: readonly number[];
  /** Minimum duration after certain outcomes. */
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
  // Brokers and stores have outcomes of their own.
  | (string & {});

/** Outcome of an attempt. */
export interface AttemptResult {
  /** Undefined if there was no response. */
  readonly status?: number;
  readonly outcome: Outcome;
  readonly error?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the response. */
  readonly body: string;
  /** In real time; simulated latency of a fault is included. */
  readonly ms: number;
  /** The fault rule that affected the attempt. */
  readonly fault?: string;
  /** HTTP method; undefined if the message was sent by another protocol, or never composed. */
  readonly method?: string;
}

export type Reply = Omit<AttemptResult, 'ms' | 'fault' | 'method'>;

/** `rule` is the reason as text; `minDelayMs` is the minimum delay of the next attempt. */
export type Verdict =
  | { readonly is: 'delivered' | 'refused'; readonly rule?: string }
  | { readonly is: 'retry'; readonly minDelayMs?: number; readonly rule?: string };

export interface Message {
  readonly url: string;
  readonly method?: 'POST' | 'PUT' | 'GET' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Names, in lower case, of headers whose values are secret although the names do not suggest it. The query of the URL is always secret.
   */
  readonly secretHeaders?: readonly string[];
  readonly body: string;
  /** The receiver's owner disabled verification of its certificate. */
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
  /** Number of attempts before this one. */
  readonly attempts: number;
  /** Overrides the policy's timeout; in a batch, that of the first delivery applies. */
  readonly timeoutMs?: number;
}

export interface EndedDelivery extends DueDelivery {
  /** The recorded attempts: the first and the last few. */
  readonly history: readonly Attempt[];
}

/**
 * Why a delivery ended: `refused` by an outcome that is not retried, `exhausted` after the last attempt, `expired` past its time to live.
 */
export type EndCause = 'delivered' | 'refused' | 'exhausted' | 'expired' | 'cancelled';

export interface DeliveryEnd {
  readonly cause: EndCause;
  /** Reason with the policy's name: `404: not retried by policy business.webhook`. */
  readonly rule: string;
  /** Outcome of the last attempt; undefined if there was none. */
  readonly result?: AttemptResult;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CONCURRENCY = 8;
const RETRIED_STATUSES = new Set([408, 425, 429]);

/** Delivered by 2xx; retried after 408, 425, 429, 5xx and without a response; refused by any other status. */
export function standardVerdict({ status, outcome }: AttemptResult): Verdict {
  if (status === undefined) return { is: outcome === 'Blocked' || outcome === 'BadAddress' ? 'refused' : 'retry' };
  if (status >= 200 && status < 300) return { is: 'delivered' };
  return { is: status >= 500 || RETRIED_STATUSES.has(status) ? 'retry' : 'refused' };
}

/** Checked at run time, because `classify` is code that may return nothing in spite of its type. */
export function isVerdict(verdict: Verdict | undefined): verdict is Verdict {
  if (verdict?.is === 'retry') return (verdict.minDelayMs ?? 0) >= 0;
  return verdict?.is === 'delivered' || verdict?.is === 'refused';
}

export function concurrencyOf(policy: Pick<DeliveryPolicy, 'ordered' | 'concurrency'>): number {
  return policy.ordered ? 1 : (policy.concurrency ?? DEFAULT_CONCURRENCY);
}

/** Policies are code, so an invalid one is an error of the programmer and found when its service opens. */
export function checkPolicy(policy: DeliveryPolicy): void {
  const { name, schedule, jitter = 0, batch, circuit, maxAttempts = 1, timeToLiveMs = 1, timeoutMs = 1 } = policy;
  const wrong = (what: string): Error => new Error(`delivery policy '${name}': ${what}`);
  if (!/^[a-z][a-z0-9.-]*$/i.test(name)) throw wrong('the name may have letters, digits, dots and dashes');
  if (schedule.length === 0 || schedule.some((delay) => !(delay >= 0)))
    throw wrong('the schedule must have delays of at least 0');
  if (!(jitter >= 0 && jitter <= 1)) throw wrong('jitter must be from 0 to 1');
  const concurrency = concurrencyOf(policy);
  if (!(Number.isInteger(concurrency) && concurrency > 0)) throw wrong(`concurrency cannot be ${concurrency}`);
  for (const limit of [maxAttempts, timeToLiveMs, timeoutMs])
    if (!(limit > 0)) throw wrong('limits must be greater than 0');
  if (batch && typeof batch !== 'function' && !areValidBatchRules(batch)) throw wrong('the batch rules are not valid');
  if (batch && policy.prepare) throw wrong('a policy with batches cannot have a prepare function');
  if (circuit && !(circuit.afterFailures >= 1 && circuit.probationMs.length > 0)) {
    throw wrong('the circuit must have a number of failures and delays');
  }
}

export const areValidBatchRules = ({ maxItems, maxBytes = 1, windowMs = 0 }: BatchRules): boolean =>
  maxItems >= 1 && maxBytes > 0 && windowMs >= 0;

/** The batching window; only rules for all destinations can have one. */
export function windowOf({ batch }: { readonly batch?: BatchRules | ((destination: string) => unknown) }): number {
  return typeof batch === 'object' ? (batch.windowMs ?? 0) : 0;
}
