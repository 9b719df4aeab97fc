import { decodeEntities } from './entities.ts';
import { attributeReader, type HtmlToken, htmlTokens } from './html-tokens.ts';
import { cutText } from './one-line.ts';

/** Length of bodyPreview. */
export const PREVIEW_CHARACTERS = 255;
/** Characters of a text from which its preview is made: enough, although joining white space shortens them. */
export const PREVIEWED_CHARACTERS = 100_000;

/** Block elements and the number of line breaks before and after them: a paragraph is set apart by an empty line. */
const BREAKS: Readonly<Record<string, number>> = {
  p: 2,
  h1: 2,
  h2: 2,
  h3: 2,
  h4: 2,
  h5: 2,
  h6: 2,
  ul: 2,
  ol: 2,
  dl: 2,
  pre: 2,
  table: 2,
  blockquote: 2,
  div: 1,
  section: 1,
  article: 1,
  header: 1,
  footer: 1,
  address: 1,
  form: 1,
  li: 1,
  dt: 1,
  dd: 1,
  tr: 1,
  center: 1,
  body: 1,
  html: 1,
};

const altOf = attributeReader('alt');
const hrefOf = attributeReader('href');

/** White space other than single blanks. Most text has none, so this check saves a slow replacement. */
const UNEVEN_BLANKS = /[\t\r\n\f]| {2}/;
const BLANKS = /[ \t\r\n\f]{2,}|[\t\r\n\f]/g;

const RULE = '________________________________';

/** Converts an HTML body to plain text: blocks become lines, links keep their address. Stops after about `limit` characters of text. */
export function htmlToText(html: string, limit = Number.POSITIVE_INFINITY): string {
  const writer = new TextWriter();
  for (const token of htmlTokens(html)) {
    if (writer.length >= limit) break;
    if (token.kind === 'text') writer.text(decodeEntities(token.text));
    else writer.tag(token);
  }
  return writer.finish();
}

/** Collects text with collapsed white space: blanks and line breaks are written only when text follows. */
class TextWriter {
  readonly #pieces: string[] = [];
  #length = 0;
  #blank = false;
  #breaks = 0;
  #preformatted = 0;
  #link = { address: '', from: 0 };

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    if (this.#preformatted > 0) {
      this.#put(text.replace(/\r\n?/g, '\n'));
      return;
    }
    const words = UNEVEN_BLANKS.test(text) ? text.replace(BLANKS, ' ') : text;
    const from = words.startsWith(' ') ? 1 : 0;
    if (from === 1) this.#blank = true;
    if (words.length === from) return;
    const endsBlank = words.endsWith(' ');
    this.#put(words.slice(from, endsBlank ? -1 : undefined));
    this.#blank = endsBlank;
  }

  tag({ name, isEnd, attributes }: HtmlToken & { readonly kind: 'tag' }): void {
    this.#break(BREAKS[name] ?? 0);
    if (name === 'br' || (name === 'hr' && !isEnd)) this.#lineBreak(name);
    else if (name === 'li' && !isEnd) this.#put('* ');
    else if (name === 'td' || name === 'th') this.#blank = true;
    else if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted + (isEnd ? -1 : 1));
    else if (name === 'img' && !isEnd) this.text(decodeEntities(altOf(attributes)));
    else if (name === 'a') this.#anchor(isEnd ? '' : decodeEntities(hrefOf(attributes)).trim());
  }

  finish(): string {
    return this.#pieces.join('').replaceAll('\u00a0', ' ').trimEnd();
  }

  #lineBreak(name: string): void {
    if (name === 'hr') {
      this.#break(1);
      this.#put(RULE);
      this.#break(1);
      return;
    }
    this.#blank = false;
    this.#breaks = this.#breaks > 0 && this.#length > 0 ? this.#breaks + 1 : 1;
  }

  /** Like Outlook, writes the address of a link in angle brackets after its text, unless the text is the address. */
  #anchor(address: string): void {
    const { address: open, from } = this.#link;
    const isShown = /^(?:https?|mailto):/i.test(open) && this.#pieces.length > from;
    const text = isShown ? this.#pieces.slice(from).join('').trim() : '';
    if (isShown && text !== '' && text !== open && text !== open.replace(/^mailto:/i, '')) this.#put(`<${open}>`);
    this.#link = { address, from: this.#pieces.length };
  }

  #break(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
    if (count > 0) this.#blank = false;
  }

  #put(text: string): void {
    if (text === '') return;
    if (this.#length > 0 && this.#breaks > 0) this.#pieces.push('\n'.repeat(Math.min(this.#breaks, 3)));
    else if (this.#length > 0 && this.#blank) this.#pieces.push(' ');
    this.#breaks = 0;
    this.#blank = false;
    this.#pieces.push(text);
    this.#length += text.length;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** Converts plain text to HTML that keeps its lines and its runs of blanks. */
export function textToHtml(text: string): string {
  const lines = escapeHtml(text.replace(/\r\n?/g, '\n')).replace(/ {2}/g, ' &nbsp;');
  return `<div>${lines.replaceAll('\n', '<br>\n')}</div>`;
}

/** The first 255 characters of a plain text with white space joined. Never splits a surrogate pair. */
export function preview(text: string): string {
  return cutText(text.slice(0, PREVIEWED_CHARACTERS).replace(/\s+/g, ' ').trim(), PREVIEW_CHARACTERS);
}
