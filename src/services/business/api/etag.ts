import { errors } from '../errors.ts';

const DIGITS = 19;
const MODULUS = 10n ** BigInt(DIGITS);

/** The tag of a stored document as clients see it: `W/"…"` around the base64 of `'19;<19 digits>1;00;'`. */
export function wireEtag(etag: string): string {
  const number = BigInt(`0x${Buffer.from(etag, 'base64url').toString('hex') || '0'}`) % MODULUS;
  const inner = `'${DIGITS};${String(number).padStart(DIGITS, '0')}1;00;'`;
  return `W/"${Buffer.from(inner).toString('base64')}"`;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `If-Match` of a request that must have one. */
export function requiredMatch(headers: Headers): string {
  const sent = optionalMatch(headers);
  if (sent === undefined) throw errors.BadRequest_InvalidToken({}, { target: 'If-Match' });
  return sent;
}

/** `If-Match`, where there is one; what cannot be a tag is refused. */
export function optionalMatch(headers: Headers): string | undefined {
  const sent = headers['if-match'];
  if (typeof sent !== 'string' || sent.trim() === '') return undefined;
  const tag = sent.trim();
  if (tag !== '*' && !/^(W\/)?"[^"]*"$/.test(tag)) throw errors.BadRequest_InvalidToken({}, { target: 'If-Match' });
  return tag;
}

/** Throws where the document is no longer the one that the client knows. */
export function checkMatch(sent: string | undefined, etag: string): void {
  if (sent === undefined || sent === '*') return;
  const strong = (tag: string): string => tag.replace(/^W\//, '');
  if (strong(sent) !== strong(wireEtag(etag))) throw errors.Request_EntityChanged();
}
