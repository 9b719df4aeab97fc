import type {
  AttemptResult,
  DeliveryEnd,
  DeliveryEngine,
  DeliveryPolicy,
  EndedDelivery,
  Reply,
  Verdict,
} from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/index.ts';
import { type RelayOrder, readOrder } from './order.ts';
import { sendByRelay } from './send.ts';
import { RELAY_TIMES } from './times.ts';
import type { Connector, RecipientReply, RelaySettings } from './types.ts';

export const RELAY_POLICY = 'mail.relay';

/** The reason why a recipient does not get a message. */
export interface NonDelivery {
  readonly cause: 'refused' | 'exhausted' | 'expired';
  /** Reply code of the relay; absent if the relay was never reached. */
  readonly code?: number;
  readonly enhancedCode?: string;
  /** The relay's reply text, or the error on the way to the relay. */
  readonly text: string;
  readonly attempts: number;
  readonly lastAttemptAt?: number;
  /** Host name of the relay; absent if the jar itself refused the message. */
  readonly relay?: string;
}

/** Functions of the sending service that the policy calls. */
export interface RelayHooks<Context> {
  /** The current relay; undefined if none is configured. */
  relay(context: Context): RelaySettings | undefined | Promise<RelaySettings | undefined>;
  /** The bytes of a message; undefined if it no longer exists. */
  load(message: string, context: Context): Promise<Buffer | undefined>;
  /**
   * Called in the transaction that ends the delivery, so it must await nothing but `tx`. Returns `reported` if the sender gets a report.
   */
  failed(tx: Tx, order: RelayOrder, reason: NonDelivery, context: Context): Promise<'reported' | undefined>;
  readonly connect?: Connector;
}

/** Delays after the first failure, the second, and so on; then every four hours until the time to live expires. */
const SCHEDULE = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];
/** Concurrent connections to the relay; each holds one message in memory. */
const AT_ONCE = 4;

/** Delivers mail to a relay, one delivery for each message and recipient, so that a refused recipient is not retried with the others. */
export function relayPolicy<Context>(hooks: RelayHooks<Context>): DeliveryPolicy<Context> {
  return {
    name: RELAY_POLICY,
    service: 'mail',
    schedule: SCHEDULE,
    jitter: 0.1,
    timeToLiveMs: RELAY_TIMES.lifetimeMs,
    timeoutMs: RELAY_TIMES.attemptMs,
    concurrency: AT_ONCE,
    classify: relayVerdict,
    async send({ body }, context, signal) {
      const { message, from, to } = readOrder(body);
      const relay = await hooks.relay(context);
      if (!relay) return unsent('NoRelay', 'no relay is configured for mail to other servers');
      const raw = await hooks.load(message, context);
      if (!raw) return unsent('Gone', 'the message is no longer there');
      const [reply] = await sendByRelay({ from, to: [to], raw }, relay, signal, hooks.connect);
      return asReply(reply);
    },
    async ended(tx, deliveries, end, context) {
      if (end.cause === 'delivered' || end.cause === 'cancelled') return undefined;
      // The policy has no batches, so there is only one.
      const [delivery] = deliveries;
      if (!delivery) return undefined;
      const reason = nonDelivery(end, end.cause, delivery);
      const report = await hooks.failed(tx, readOrder(delivery.body), reason, context);
      return report && 'dead-lettered';
    },
  };
}

/** Queues a message for every recipient in the transaction that sends it. Returns the ids of the deliveries. */
export async function enqueueForRelay(
  tx: Tx,
  engine: DeliveryEngine,
  { relay, message, from, to, owner, subject, timeoutMs, expiresAt }: RelayMail,
): Promise<readonly string[]> {
  const url = `smtp://${relay.host.includes(':') ? `[${relay.host}]` : relay.host}:${relay.port}`;
  const ids: string[] = [];
  for (const recipient of new Set(to)) {
    const order: RelayOrder = { message, from, to: recipient };
    const shown = subject === undefined ? recipient : `${recipient}: ${subject}`;
    const delivery = {
      policy: RELAY_POLICY,
      destination: url,
      url,
      owner,
      subject: shown,
      body: JSON.stringify(order),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    ids.push(await engine.enqueue(tx, delivery));
  }
  return ids;
}

export interface RelayMail {
  /** The destination to show. The mail is sent to the relay that is configured at the time of sending. */
  readonly relay: Pick<RelaySettings, 'host' | 'port'>;
  /** Reference by which `load` finds the bytes. */
  readonly message: string;
  readonly from: string;
  readonly to: readonly string[];
  /** The sending mailbox; the engine's `cancel` selects by it. */
  readonly owner: string;
  readonly subject?: string;
  /** Overrides of the policy's values. */
  readonly timeoutMs?: number;
  readonly expiresAt?: number;
}

const SENT = 'Succeeded';
const REFUSED = 'Refused';
const DEFERRED = 'Deferred';
/** Outcomes without a reply that a retry would not change. */
const PERMANENT_OUTCOMES = new Set(['NoRelay', 'Gone', 'BadAddress']);
/** Set by a fault rule as an HTTP status, or sent by a relay that lost its state. Both can be temporary. */
const BAD_SEQUENCE = 503;

/** Decided by the relay's reply. If a fault rule replaced it, the status decides, by the rules of SMTP. */
export function relayVerdict({ outcome, status }: AttemptResult): Verdict {
  const said = status === undefined ? outcome : String(status);
  if (outcome === DEFERRED) return { is: 'retry', rule: `${said}: tried again later` };
  if (PERMANENT_OUTCOMES.has(outcome)) return { is: 'refused', rule: `${said}: not retried by policy ${RELAY_POLICY}` };
  if (status === undefined) return { is: 'retry' };
  if (status >= 200 && status < 300) return { is: 'delivered' };
  if (status >= 500 && status !== BAD_SEQUENCE) return { is: 'refused' };
  return { is: 'retry' };
}

const unsent = (outcome: string, error: string): Reply => ({ outcome, error, headers: {}, body: '' });

function asReply(reply: RecipientReply | undefined): Reply {
  if (!reply) return unsent('BadAddress', 'there is no recipient');
  const { is, code, text, failure } = reply;
  if (code === undefined) return unsent(failure ?? DEFERRED, text);
  const body = [reply.enhancedCode, text].filter((part) => part !== undefined).join(' ');
  const outcome = is === 'sent' ? SENT : is === 'refused' ? REFUSED : DEFERRED;
  return { status: code, outcome, headers: {}, body, ...(is !== 'sent' && { error: `${code} ${body}` }) };
}

/** Based on the last attempt, even if the time to live has expired since. */
function nonDelivery({ rule }: DeliveryEnd, cause: NonDelivery['cause'], { history, url }: EndedDelivery): NonDelivery {
  const last = history.at(-1);
  const [, enhancedCode, said] = /^(?:([245]\.\d{1,3}\.\d{1,3})(?: |$))?(.*)$/s.exec(last?.response ?? '') ?? [];
  const relay = URL.parse(url)?.hostname;
  return {
    cause,
    ...(relay && { relay }),
    ...(last && { lastAttemptAt: last.at }),
    text: said || last?.error || rule,
    attempts: last?.number ?? 0,
    ...(last?.status !== undefined && { code: last.status }),
    ...(enhancedCode !== undefined && { enhancedCode }),
  };
}
