import {
  type AttemptResult,
  ask,
  type DeliveryPolicy,
  type DueDelivery,
  questionPolicy,
  type Verdict,
  withoutSecrets,
  withParameter,
} from '../../../kernel/delivery/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { HANDSHAKE } from './names.ts';

const TIMEOUT_MS = 10 * SECOND_MS;
const PARAMETER = 'validationToken';
/** Only the beginning of a response is kept, so a response of this length may continue. */
const LONGEST_ANSWER = 1000;

/** Validates a receiver with one request, while the caller waits. */
export const HANDSHAKE_POLICY: DeliveryPolicy<MailJar> = {
  name: HANDSHAKE,
  service: 'mail',
  ...questionPolicy,
  timeoutMs: TIMEOUT_MS,
  classify: handshakeVerdict,
};

/**
 * Throws unless the receiver echoes the token. Tokens contain blanks, colons and other characters that a careless receiver does not decode.
 */
export async function validateReceiver(
  jar: MailJar,
  subscription: string,
  property: 'notificationUrl' | 'lifecycleNotificationUrl',
  url: string,
): Promise<void> {
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${uuid()} (100% + 1)`;
  const { agreed, rule } = await ask(
    jar,
    {
      policy: HANDSHAKE,
      destination: `handshake ${uuid()}`,
      owner: subscription,
      subject: `validation of the ${property} of a subscription`,
      url: withParameter(url, PARAMETER, token),
      headers: { 'content-type': 'text/plain; charset=utf-8', accept: 'text/plain' },
      body: '',
    },
    { closing: () => errors.ServiceUnavailable({ reason: 'The service is shutting down.' }) },
  );
  if (agreed) return;
  throw errors.ValidationError(
    { reason: `Subscription validation request failed. '${withoutSecrets(url)}': ${rule}.` },
    { target: property },
  );
}

/** Requires status 200, `text/plain`, and the decoded token as the body. */
export function handshakeVerdict(result: AttemptResult, batch: readonly DueDelivery[]): Verdict {
  const { status, outcome, error = 'there was no answer', headers, body } = result;
  const refused = (rule: string): Verdict => ({ is: 'refused', rule });
  if (outcome === 'TimedOut' && status === undefined) return refused('Subscription validation request timed out');
  if (status === undefined) return refused(`there was no answer (${outcome}: ${error})`);
  if (status !== 200) return refused(`HTTP status code is '${outcome}' (${status}), and 200 is expected`);
  const type = headers['content-type'] ?? '';
  if (!/^text\/plain\s*(;|$)/i.test(type))
    return refused(`the content type is '${type.slice(0, 100)}', and text/plain is expected`);
  const sent = batch[0]?.url ?? '';
  const token = URL.parse(sent)?.searchParams.getAll(PARAMETER).at(-1) ?? '';
  if (body === token && Buffer.byteLength(body) <= LONGEST_ANSWER)
    return { is: 'delivered', rule: '200 with the validation token' };
  if (sent.endsWith(body) && body !== '') return refused('the token in the body is not decoded');
  return refused('the body is not the validation token');
}
