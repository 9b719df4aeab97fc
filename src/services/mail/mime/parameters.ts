import { decodeWords } from 'postal-mime';
import { MOST_PARAMETERS } from './bounds.ts';
import { decodeBytes } from './charset.ts';

/** A header such as Content-Type: a value in lower case, and parameters by lower-case name. */
export interface StructuredValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Reads `value; name=text; name="quoted"; name*=utf-8''%41; name*0=...` (RFC 2045, RFC 2231). The first of two equal parameters counts,
 * as every other reader of mail has it: a second boundary must not give the message another structure.
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
  // The form of RFC 2231 is exact, the plain one beside it is for old readers.
  for (const [name, sections] of extended) parameters.set(name, joinSections(sections));
  return { value: (pieces[0] ?? '').trim().toLowerCase(), parameters };
}

interface Section {
  readonly index: number;
  readonly isEncoded: boolean;
  readonly value: string;
}

/** Splits at semicolons; quoted strings stay whole, comments go. A quote or parenthesis that nobody closes ends with the header. */
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
      // Within a value, `(` is a character: `filename=Invoice(1).pdf`.
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

/** Sections in order of their numbers; the charset stands in the first. */
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

/** A parameter that senders also write with encoded words, which RFC 2047 forbids and everybody does. */
export function textParameter({ parameters }: StructuredValue, name: string): string {
  const value = parameters.get(name) ?? '';
  return value.includes('=?') ? decodeWords(value) : value;
}
