import type { AttemptResult, DueDelivery, Verdict } from '../../../kernel/delivery/index.ts';

/** Sent with the question in the words of CloudEvents, and looked for in the answer. */
export const REQUEST_ORIGIN = 'webhook-request-origin';
const ALLOWED_ORIGIN = 'webhook-allowed-origin';
const ALLOWED_RATE = 'webhook-allowed-rate';

/** What an answer to a handshake means: consent, neither yes nor no, or no; in words, for the record and for the caller. */
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

/** Exactly 200, with the code that was sent. */
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

/** As the web hooks of CloudEvents have it: the answer names whom the endpoint lets send to it. */
function byOrigin({ status = 0, headers }: AttemptResult, origin: string): Consent {
  if (status < 200 || status > 204) return { is: 'unanswered', rule: `${status}: no consent to OPTIONS` };
  const allowed = headers[ALLOWED_ORIGIN]?.trim();
  if (allowed === undefined || allowed === '')
    return { is: 'open', rule: `${status} without WebHook-Allowed-Origin: waits for a call of the callback address` };
  const isOurs = allowed.split(',').some((each) => each.trim() === '*' || each.trim().toLowerCase() === origin);
  if (isOurs) return { is: 'given', rule: `${status} with WebHook-Allowed-Origin: ${allowed}` };
  return { is: 'refused', rule: `${status} with WebHook-Allowed-Origin: ${allowed}, which is not '${origin}'` };
}

/** Requests a minute that the endpoint wants at most; undefined for as many as there are. */
export function allowedRate({ headers }: Pick<AttemptResult, 'headers'>): number | undefined {
  const rate = headers[ALLOWED_RATE]?.trim() ?? '';
  return /^\d{1,9}$/.test(rate) && Number(rate) > 0 ? Number(rate) : undefined;
}

const VERDICTS = { given: 'delivered', open: 'delivered', refused: 'refused', unanswered: 'retry' } as const;

/** The question has arrived once it was answered with neither no nor an error. */
export function handshakeVerdict(result: AttemptResult, batch: readonly DueDelivery[]): Verdict {
  const { is, rule } = consentOf(result, batch[0] as DueDelivery);
  return { is: VERDICTS[is], rule };
}
