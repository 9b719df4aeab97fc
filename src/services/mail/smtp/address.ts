/** Bytes, from RFC 5321 (4.5.3.1). */
const LONGEST_LOCAL_PART = 64;
const LONGEST_DOMAIN = 255;

/** Source routes (`@a,@b:`) are accepted and ignored, as RFC 5321 (appendix C) requires. */
const PATH =
  /^<(?:@[^,:<>"\s]+(?:,@[^,:<>"\s]+)*:)?((?:"(?:[^"\\]|\\.)*"|[^"<>\s@]+)(?:@(?:\[[^\]<>\s]*\]|[^<>\s@]+))?)?>/u;
const ATOM = String.raw`[\w!#$%&'*+/=?^{|}~\u0060\u0080-\u{10ffff}-]+`;
const DOT_STRING = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*$`, 'u');
const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?$/u;
const LITERAL = /^\[(?:IPv6:[0-9a-f:.]+|\d{1,3}(?:\.\d{1,3}){3})\]$/i;
/** Control characters, and invisible characters that make two addresses look alike. */
const UNSAFE = /[\p{Cc}\p{Cs}\u200b\u2060\ufeff]/u;

export interface ParsedPath {
  /** `user@domain` with the domain in lower case; empty for `<>`; without a domain only for `<postmaster>`. */
  readonly address: string;
  /** The text after the path. */
  readonly rest: string;
}

/** Parses `<user@domain>` at the beginning of a text; undefined if there is no such path. */
export function parsePath(text: string): ParsedPath | undefined {
  const [whole, given] = PATH.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const address = given === undefined ? '' : normalAddress(given);
  return address === undefined ? undefined : { address, rest: text.slice(whole.length) };
}

export const isAscii = (text: string): boolean => !/[^\x20-\x7e]/.test(text);

/** Normalises an address, as far as that is possible without knowing the mailboxes; undefined if it is not an address. */
function normalAddress(given: string): string | undefined {
  if (UNSAFE.test(given)) return undefined;
  const at = given.startsWith('"') ? given.indexOf('@', given.lastIndexOf('"')) : given.indexOf('@');
  const local = unquoted(at < 0 ? given : given.slice(0, at));
  if (local === undefined || Buffer.byteLength(local) > LONGEST_LOCAL_PART) return undefined;
  // `postmaster` is the only name without a domain (RFC 5321, 4.5.1).
  if (at < 0) return local.toLowerCase() === 'postmaster' ? 'postmaster' : undefined;
  const domain = given.slice(at + 1).toLowerCase();
  return isDomain(domain) ? `${local}@${domain}` : undefined;
}

/** Removes quotes that are not necessary. */
function unquoted(local: string): string | undefined {
  if (!local.startsWith('"')) return DOT_STRING.test(local) ? local : undefined;
  const content = local.slice(1, -1).replace(/\\(.)/gu, '$1');
  return DOT_STRING.test(content) ? content : local;
}

function isDomain(domain: string): boolean {
  if (Buffer.byteLength(domain) > LONGEST_DOMAIN) return false;
  return domain.startsWith('[') ? LITERAL.test(domain) : domain.split('.').every((label) => LABEL.test(label));
}
