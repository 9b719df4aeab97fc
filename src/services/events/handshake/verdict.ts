import type { AttemptResult, DueDelivery, Verdict } from '../../../kernel/delivery/index.ts';

/** Sent with a CloudEvents handshake; the answer must allow this origin. */
export const REQUEST_ORIGIN = 'webhook-request-origin';
const ALLOWED_ORIGIN = 'webhook-allowed-origin';
const ALLOWED_RATE = 'webhook-allowed-rate';

/**
 * Meaning of an answer to a handshake. `open`: the endpoint accepted the request but has not confirmed yet. `rule` is the explanation, for
 * the delivery record and the caller.
 */
export interface Consent {
  readonly is: 'given' | 'open' | 'refused' | 'unanswered';
  readonly rule: string;
}

export function consentOf(result: AttemptResult, question: Pick<DueDelivery, 'headers' | 'body'>): Consent {
  const origin = question.headers[REQUEST_ORIGIN];
  if (result.status === undefined) {
    const never = result.outcome === 'Blocked' || result.outcome === 'BadAddress';
    return {
      is: never ? 'refused' : 'unanswered',
      rule: `${result.outcome}: ${result.error ?? 'there was no answer'}`,
    };
  }
  return origin === undefined ? byCode(result, question.body) : byOrigin(result, origin);
}

/** Confirmed only by a 200 that echoes the code. */
function byCode({ status, body }: AttemptResult, question: string): Consent {
  if (status !== 200) return { is: 'unanswered', rule: `${status}: only 200 is an answer to a validation event` };
  const said = responseIn(body);
  if (said === undefined)
    return { is: 'open', rule: "200 without a 'validationResponse': waits for a call of the validation address" };
  if (said.toLowerCase() === codeIn(question).toLowerCase())
    return { is: 'given', rule: '200 with the validation code that was sent' };
  return { is: 'refused', rule: "200 with a 'validationResponse' that is not the code that was sent" };
}

function responseIn(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null) return undefined;
    const found = Object.entries(answer).find(([name]) => name.toLowerCase() === 'validationresponse');
    return typeof found?.[1] === 'string' ? found[1] : undefined;
  } catch {
    return undefined;
  }
}

function codeIn(question: string): string {
  const [event] = JSON.parse(question) as [{ readonly data: { readonly validationCode: string } }];
  return event.data.validationCode;
}

/** As specified for CloudEvents web hooks: the answer names the origins that may send. */
function byOrigin({ status = 0, headers }: AttemptResult, origin: string): Consent {
  if (status < 200 || status > 204) return { is: 'unanswered', rule: `${status}: no consent to OPTIONS` };
  const allowed = headers[ALLOWED_ORIGIN]?.trim();
  if (allowed === undefined || allowed === '')
    return { is: 'open', rule: `${status} without WebHook-Allowed-Origin: waits for a call of the callback address` };
  const isOurs = allowed.split(',').some((each) => each.trim() === '*' || each.trim().toLowerCase() === origin);
  if (isOurs) return { is: 'given', rule: `${status} with WebHook-Allowed-Origin: ${allowed}` };
  return { is: 'refused', rule: `${status} with WebHook-Allowed-Origin: ${allowed}, which is not '${origin}'` };
}

/** Maximum of requests a minute that the endpoint allows; undefined if unlimited. */
export function allowedRate({ headers }: Pick<AttemptResult, 'headers'>): number | undefined {
  const rate = headers[ALLOWED_RATE]?.trim() ?? '';
  return /^\d{1,9}$/.test(rate) && Number(rate) > 0 ? Number(rate) : undefined;
}

const VERDICTS = { given: 'delivered', open: 'delivered', refused: 'refused', unanswered: 'retry' } as const;

/** A handshake counts as delivered unless the answer is a refusal or an error. */
export function handshakeVerdict(result: AttemptResult, batch: readonly DueDelivery[]): Verdict {
  const { is, rule } = consentOf(result, batch[0] as DueDelivery);
  return { is: VERDICTS[is], rule };
}
