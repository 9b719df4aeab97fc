import type { AttemptResult, DueDelivery, Verdict } from '../../../kernel/delivery/index.ts';

const PARAMETER = 'validationToken';

/** The address with the token behind what its query has already. */
export function questionUrl(notificationUrl: string, token: string): string {
  const hash = notificationUrl.indexOf('#');
  const address = hash < 0 ? notificationUrl : notificationUrl.slice(0, hash);
  const joint = !address.includes('?') ? '?' : /(?:^[^?]*\?|&)$/.test(address) ? '' : '&';
  return `${address}${joint}${PARAMETER}=${encodeURIComponent(token)}`;
}

/** No more than the beginning of an answer is known, and what is as long may go on with anything. */
const LONGEST_ANSWER = 1000;

const tokenIn = (url: string): string => URL.parse(url)?.searchParams.getAll(PARAMETER).at(-1) ?? '';

/** Exactly 200, with the token for a body. White space and quotes around it are let pass, nothing else. */
export function handshakeVerdict(result: AttemptResult, batch: readonly DueDelivery[]): Verdict {
  const { status, outcome, error = 'there was no answer', body } = result;
  if (status === undefined) return { is: 'refused', rule: `there was no answer (${outcome}: ${error})` };
  if (status >= 300 && status < 400)
    return { is: 'refused', rule: `it answered ${status}, and redirects are not followed` };
  if (status !== 200) return { is: 'refused', rule: `it answered ${status}, and only 200 is an answer` };
  const said = body
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  const isWhole = Buffer.byteLength(body) <= LONGEST_ANSWER;
  if (isWhole && said === tokenIn(batch[0]?.url ?? ''))
    return { is: 'delivered', rule: '200 with the validation token' };
  if (said === '') return { is: 'refused', rule: 'it answered 200 without the validation token in the body' };
  return { is: 'refused', rule: 'it answered 200 with something else than the validation token in the body' };
}
