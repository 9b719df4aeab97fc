import { decodeWords } from 'postal-mime';
import { MOST_PARAMETERS } from './bounds.ts';
import { decodeBytes } from './charset.ts';

/** A structured header such as Content-Type: a value in lower case, and parameters by lower-case name. */
export interface StructuredValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses `value; name=text; name="quoted"; name*=utf-8''%41; name*0=...` (RFC 2045, RFC 2231). If a parameter is repeated, the first one
 * wins, as in other mail readers: a second boundary must not change the structure of the message.
 */
export function parseStructured(header: string): StructuredValue {
  const pieces = splitOutsideQuotes(header);
  const plain = new Map<string, string>();
  const extended = new Map<string, Section[]>();
  for (const piece of pieces.slice(1, MOST_PARAMETERS + 1)) {
    const equals = piece.indexOf('=');
    if (equals < 0) continue;
    const name = piece.slice(0, equals).trim().toLowerCase();
    const value = unquote(piece.slice(equals + 1));
    const [, base = '', index, star = ''] = /^([^*]+)\*(?:(\d{1,3})(\*?))?$/.exec(name) ?? [];
    if (base === '') {
      if (!plain.has(name)) plain.set(name, value);
      continue;
    }
    const sections = extended.get(base) ?? [];
    sections.push({ index: Number(index ?? 0), isEncoded: index === undefined || star === '*', value });
    extended.set(base, sections);
  }
  const parameters = new Map(plain);
  // The RFC 2231 form is exact and takes precedence over the plain form, which is for old readers.
  for (const [name, sections] of extended) parameters.set(name, joinSections(sections));
  return { value: (pieces[0] ?? '').trim().toLowerCase(), parameters };
}

interface Section {
  readonly index: number;
  readonly isEncoded: boolean;
  readonly value: string;
}

/**
 * Splits at semicolons. Quoted strings stay whole, comments are removed. An unclosed quote or parenthesis extends to the end of the header.
 */
function splitOutsideQuotes(header: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let isQuoted = false;
  let isBlank = true;
  let comments = 0;
  for (let at = 0; at < header.length; at += 1) {
    const character = header.charAt(at);
    const isPair = character === '\\' && (isQuoted || comments > 0);
    const text = isPair ? header.slice(at, at + 2) : character;
    if (isPair) at += 1;
    if (comments > 0) {
      comments += text === '(' ? 1 : text === ')' ? -1 : 0;
    } else if (!isQuoted && text === '(' && isBlank) {
      // Within a value, `(` does not begin a comment: `filename=Invoice(1).pdf`.
      comments = 1;
    } else if (!isQuoted && text === ';') {
      pieces.push(piece);
      piece = '';
      isBlank = true;
    } else {
      if (text === '"') isQuoted = !isQuoted;
      piece += text;
      isBlank = text === ' ' || text === '\t';
    }
  }
  pieces.push(piece);
  return pieces;
}

function unquote(text: string): string {
  const value = text.trim();
  if (!value.startsWith('"')) return value;
  const close = /^"((?:\\.|[^"\\])*)/s.exec(value)?.[1] ?? '';
  return close.replace(/\\(.)/gs, '$1');
}

/** Joins sections in the order of their numbers; the first section has the charset. */
function joinSections(sections: readonly Section[]): string {
  const ordered = [...sections].sort((a, b) => a.index - b.index);
  const [, charset, rest] = ordered[0]?.isEncoded ? (/^([^']*)'[^']*'(.*)$/s.exec(ordered[0].value) ?? []) : [];
  const bytes = ordered.map(({ isEncoded, value }, position) => {
    const text = position === 0 && rest !== undefined ? rest : value;
    return isEncoded ? percentBytes(text) : Buffer.from(text);
  });
  return decodeBytes(Buffer.concat(bytes), charset);
}

function percentBytes(text: string): Buffer {
  const latin = Buffer.from(text).toString('latin1');
  return Buffer.from(
    latin.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Decodes encoded words too: RFC 2047 forbids them in parameters, but most senders write them. */
export function textParameter({ parameters }: StructuredValue, name: string): string {
  const value = parameters.get(name) ?? '';
  return value.includes('=?') ? decodeWords(value) : value;
}
