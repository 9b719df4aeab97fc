import { errors } from '../errors.ts';

const DIGITS = 19;
const MODULUS = 10n ** BigInt(DIGITS);

/** The etag of a stored document on the wire: `W/"…"` around the base64 of `'19;<19 digits>1;00;'`. */
export function wireEtag(etag: string): string {
  const number = BigInt(`0x${Buffer.from(etag, 'base64url').toString('hex') || '0'}`) % MODULUS;
  const inner = `'${DIGITS};${String(number).padStart(DIGITS, '0')}1;00;'`;
  return `W/"${Buffer.from(inner).toString('base64')}"`;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The `If-Match` header; throws if it is missing. */
export function requiredMatch(headers: Headers): string {
  const sent = optionalMatch(headers);
  if (sent === undefined) throw errors.BadRequest_InvalidToken({}, { target: 'If-Match' });
  return sent;
}

/** The `If-Match` header, or undefined if it is missing; throws if it is not an etag. */
export function optionalMatch(headers: Headers): string | undefined {
  const sent = headers['if-match'];
  if (typeof sent !== 'string' || sent.trim() === '') return undefined;
  const tag = sent.trim();
  if (tag !== '*' && !/^(W\/)?"[^"]*"$/.test(tag)) throw errors.BadRequest_InvalidToken({}, { target: 'If-Match' });
  return tag;
}

/** Throws if the document has changed since the client read it. */
export function checkMatch(sent: string | undefined, etag: string): void {
  if (sent === undefined || sent === '*') return;
  const strong = (tag: string): string => tag.replace(/^W\//, '');
  if (strong(sent) !== strong(wireEtag(etag))) throw errors.Request_EntityChanged();
}
