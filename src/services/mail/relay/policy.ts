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

/** Why a recipient will not get a message. */
export interface NonDelivery {
  readonly cause: 'refused' | 'exhausted' | 'expired';
  /** Of the relay; absent where it was never reached. */
  readonly code?: number;
  readonly enhancedCode?: string;
  /** In the words of the relay, or what went wrong on the way to it. */
  readonly text: string;
  readonly attempts: number;
  readonly lastAttemptAt?: number;
  /** The host name of the relay; absent where the jar itself refused. */
  readonly relay?: string;
}

/** What a policy has to know of the service that sends. */
export interface RelayHooks<Context> {
  /** The relay of this moment; undefined where none is configured. */
  relay(context: Context): RelaySettings | undefined | Promise<RelaySettings | undefined>;
  /** The bytes of a message; undefined where it is gone. */
  load(message: string, context: Context): Promise<Buffer | undefined>;
  /** In the transaction that ends the delivery; must await nothing but `tx`. Gives whether there is a report now that the sender can read. */
  failed(tx: Tx, order: RelayOrder, reason: NonDelivery, context: Context): Promise<'reported' | undefined>;
  readonly connect?: Connector;
}

/** After the first failure, the second, …; then every four hours until the time to live is over. */
const SCHEDULE = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];
/** Connections to the relay; each holds one message in memory. */
const AT_ONCE = 4;

/** Mail to a relay, one delivery for each message and recipient: a recipient that was refused is not tried again with the others. */
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
      // One at a time: the policy has no batches.
      const [delivery] = deliveries;
      if (!delivery) return undefined;
      const reason = nonDelivery(end, end.cause, delivery);
      const report = await hooks.failed(tx, readOrder(delivery.body), reason, context);
      return report && 'dead-lettered';
    },
  };
}

/** Queues a message for every recipient, in the transaction that sends it; gives the ids of the deliveries. */
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
  /** Where the mail goes, as it is shown; what it is sent to is the relay at the time of sending. */
  readonly relay: Pick<RelaySettings, 'host' | 'port'>;
  /** What `load` finds the bytes by. */
  readonly message: string;
  readonly from: string;
  readonly to: readonly string[];
  /** The mailbox that sends: what the engine's `cancel` goes by. */
  readonly owner: string;
  readonly subject?: string;
  /** Instead of those of the policy. */
  readonly timeoutMs?: number;
  readonly expiresAt?: number;
}

const SENT = 'Succeeded';
const REFUSED = 'Refused';
const DEFERRED = 'Deferred';
/** Outcomes without an answer that no later attempt would change. */
const HOPELESS = new Set(['NoRelay', 'Gone', 'BadAddress']);
/** Asked for by a fault rule in the words of HTTP, or by a relay that lost track: both may be over next time. */
const BAD_SEQUENCE = 503;

/** What the relay said decides; where a fault rule spoke in its place, the code does, by the rules of SMTP. */
export function relayVerdict({ outcome, status }: AttemptResult): Verdict {
  const said = status === undefined ? outcome : String(status);
  if (outcome === DEFERRED) return { is: 'retry', rule: `${said}: tried again later` };
  if (HOPELESS.has(outcome)) return { is: 'refused', rule: `${said}: not retried by policy ${RELAY_POLICY}` };
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

/** By the last attempt, also where the time to live has ended since. */
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
