import { type AppliedFault, plainAnswer } from '../faults/index.ts';
import type { Calls } from '../outbound/calls.ts';
import { OutboundError } from '../outbound/errors.ts';
import { WHOLE_QUERY } from '../telemetry/redact.ts';
import { after, processTime } from '../time/timers.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { failureOf, outcomeOf, RESPONSE_KEPT_BYTES, replyOf } from './outcomes.ts';
import {
  type AttemptResult,
  DEFAULT_TIMEOUT_MS,
  type DueDelivery,
  type Message,
  type Outcome,
  type Reply,
} from './policy.ts';
import { signatureHeaders } from './sign.ts';

const PIECES_OF_A_SLOW_BODY = 10;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Composes a message from a batch, sends it and returns the outcome; never rejects. */
export async function sendBatch(
  context: DeliveryContext,
  policy: BoundPolicy,
  batch: readonly DueDelivery[],
  effect: AppliedFault | undefined,
  calls: Calls,
): Promise<AttemptResult> {
  const began = processTime();
  const sent: Sent = {};
  const reply = await attempt(context, timed(policy, batch), batch, effect, calls, sent).catch((error: unknown) =>
    failureOf(calls.areCancelled ? cancelledError() : error),
  );
  const ms = Math.round((processTime() - began) * 10) / 10;
  if (effect === undefined) return { ...reply, ...sent, ms };
  // On a frozen clock simulated latency takes no real time, but is reported anyway.
  const ordered = Math.min(latencyOf(effect), timed(policy, batch).timeoutMs ?? DEFAULT_TIMEOUT_MS);
  return { ...reply, ...sent, ms: Math.max(ms, ordered), fault: effect.rule };
}

/** Filled in once the message is composed, even if sending fails. */
interface Sent {
  method?: string;
}

const latencyOf = ({ latencyMs = 0, slowBodyMs = 0 }: AppliedFault): number =>
  latencyMs + slowBodyMs * PIECES_OF_A_SLOW_BODY;

/** A delivery may override the timeout. */
const timed = (policy: BoundPolicy, [first]: readonly DueDelivery[]): BoundPolicy =>
  first?.timeoutMs === undefined ? policy : { ...policy, timeoutMs: first.timeoutMs };

async function attempt(
  context: DeliveryContext,
  policy: BoundPolicy,
  batch: readonly DueDelivery[],
  effect: AppliedFault | undefined,
  calls: Calls,
  sent: Sent,
): Promise<Reply> {
  let message: Message;
  try {
    message = await composed(context, policy, batch, calls);
  } catch (error) {
    if (calls.areCancelled) throw error;
    context.log.error({ err: error, policy: policy.name }, 'a message could not be composed');
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: 'ComposeFailed', error: `the message could not be composed: ${reason}`, headers: {}, body: '' };
  }
  const { send: other } = policy;
  if (!other) sent.method = message.method ?? 'POST';
  const send = (): Promise<Reply> =>
    other
      ? sendByOtherProtocol(policy, calls, (signal) => other.call(policy, message, signal))
      : sendOverHttp(context, policy, message, calls);
  if (effect === undefined) return send();
  const instead = await simulatedReply(context, policy, effect, calls);
  if (instead) return instead;
  if (effect.duplicate) await send().catch(() => {});
  return send();
}

async function composed(
  context: DeliveryContext,
  policy: BoundPolicy,
  batch: readonly DueDelivery[],
  calls: Calls,
): Promise<Message> {
  const first = batch[0]!;
  const message = policy.compose
    ? await withinTimeout(policy, calls, policy.compose(batch))
    : {
        url: first.url,
        headers: first.headers,
        body: policy.batch ? `[${batch.map((each) => each.body).join(',')}]` : first.body,
      };
  if (!policy.secrets) return message;
  const secrets = await withinTimeout(policy, calls, policy.secrets(batch));
  const signed = signatureHeaders(secrets, first.id, context.clock.now(), message.body);
  return { ...message, headers: { ...message.headers, ...signed } };
}

async function sendByOtherProtocol(
  policy: BoundPolicy,
  calls: Calls,
  send: (signal: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const controller = new AbortController();
  try {
    return await withinTimeout(policy, calls, send(controller.signal));
  } catch (error) {
    controller.abort();
    throw error;
  }
}

async function sendOverHttp(
  { outbound }: DeliveryContext,
  policy: BoundPolicy,
  { url, method, headers, secretHeaders = [], body, anyCertificate = false }: Message,
  calls: Calls,
): Promise<Reply> {
  const answer = await outbound.send({
    url,
    method: method ?? 'POST',
    headers: { 'content-type': JSON_TYPE, ...headers },
    secretParts: [WHOLE_QUERY, ...secretHeaders],
    body,
    timeoutMs: policy.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBodyBytes: RESPONSE_KEPT_BYTES * 16,
    plainHttp: policy.plainHttp ?? false,
    anyCertificate,
    redirects: policy.redirects ?? 0,
    calls,
  });
  return replyOf(answer, policy.keptHeaders);
}

/** The response that a fault simulates in place of the receiver's; undefined if the message is really sent. */
async function simulatedReply(
  { clock }: DeliveryContext,
  policy: BoundPolicy,
  effect: AppliedFault,
  calls: Calls,
): Promise<Reply | undefined> {
  const latencyMs = latencyOf(effect);
  const timeoutMs = policy.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  if (latencyMs > 0) await clock.sleep(Math.min(latencyMs, timeoutMs), calls.signal);
  if (latencyMs >= timeoutMs) return lost('TimedOut', `no complete answer within ${timeoutMs} ms`);
  if (effect.drop) return lost('SocketError', 'the connection was dropped');
  if (effect.cutBodyAfter !== undefined) return lost('SocketError', 'the connection ended during the response');
  const answer = plainAnswer(effect);
  return answer && { ...answer, outcome: outcomeOf(answer.status), body: answer.body.slice(0, RESPONSE_KEPT_BYTES) };
}

const lost = (outcome: Outcome, error: string): Reply => ({ outcome, error, headers: {}, body: '' });

const cancelledError = (): OutboundError => new OutboundError('Aborted', 'cancelled before it was answered');

/** Limits a service's own code to the time of one attempt, and ends it when the calls are aborted, so that it cannot block the jar. */
export function withinTimeout<T>(policy: BoundPolicy, calls: Calls, work: T | Promise<T>): T | Promise<T> {
  if (!(work instanceof Promise)) return work;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = policy;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const end = (): void => {
    cancel();
    calls.remove(onCancel);
  };
  const onCancel = (): void => reject(cancelledError());
  const cancel = after(timeoutMs, () => reject(new OutboundError('TimedOut', `not done within ${timeoutMs} ms`)));
  if (calls.areCancelled) onCancel();
  else calls.add(onCancel);
  work.then(resolve, reject);
  return promise.finally(end);
}
