import { type AttemptResult, type DueDelivery, type Verdict, withParameter } from '../../../kernel/delivery/index.ts';

const PARAMETER = 'validationToken';

/** The address with the token added to its query. */
export const questionUrl = (notificationUrl: string, token: string): string =>
  withParameter(notificationUrl, PARAMETER, token);

/** In bytes. Only the beginning of an answer is kept, so a longer answer is refused: its rest is unknown. */
const LONGEST_ANSWER = 1000;

const tokenIn = (url: string): string => URL.parse(url)?.searchParams.getAll(PARAMETER).at(-1) ?? '';

/** Agreed only by a 200 whose body is the token; white space and quotes around it are accepted. */
export function handshakeVerdict(result: AttemptResult, batch: readonly DueDelivery[]): Verdict {
  const { status, outcome, error = 'there was no answer', body } = result;
  if (status === undefined) return { is: 'refused', rule: `there was no answer (${outcome}: ${error})` };
  if (status >= 300 && status < 400)
    return { is: 'refused', rule: `it answered ${status}, and redirects are not followed` };
  if (status !== 200) return { is: 'refused', rule: `it answered ${status}, and only 200 is accepted` };
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
