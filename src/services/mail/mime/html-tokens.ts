/** A token of HTML: text as written (entities are not decoded), or a tag. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly from: number; readonly text: string }
  | {
      readonly kind: 'tag';
      readonly from: number;
      /** Lower case. */
      readonly name: string;
      readonly isEnd: boolean;
      /** The text after the name, without `>`. */
      readonly attributes: string;
    };

/** Elements whose content is not shown as text. */
const HIDDEN = new Set(['script', 'style', 'title', 'template', 'noscript', 'xml', 'o:officedocumentsettings']);

/** Text after this many tags is left out. Real mail has far fewer, and reading the 10 million tags that fit into a mail takes seconds. */
export const MOST_TAGS = 500_000;

/**
 * Tokenises HTML in linear time: a search that failed once is not repeated. Comments, declarations and the content of scripts and styles
 * are left out. Does not build a tree, since HTML in mail is rarely well-formed.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  const scanner = new Scanner(html);
  let at = 0;
  let textFrom = 0;
  let tags = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0 || scanner.isDone) break;
    const end = scanner.markupEnd(open);
    if (end === undefined) {
      at = open + 1;
      continue;
    }
    if (open > textFrom) yield { kind: 'text', from: textFrom, text: html.slice(textFrom, open) };
    at = end;
    tags += 1;
    if (tags > MOST_TAGS) return;
    const isTag = isLetter(html.charCodeAt(open + 1)) || html.charCodeAt(open + 1) === 0x2f;
    const tag = isTag ? tagOf(html, open, end) : undefined;
    if (tag && !tag.isEnd && HIDDEN.has(tag.name)) at = scanner.contentEnd(end, tag.name);
    else if (tag) yield tag;
    textFrom = at;
  }
  if (textFrom < html.length) yield { kind: 'text', from: textFrom, text: html.slice(textFrom) };
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Matches `<a`, `</a`, `<!` or `<?`. Compares character codes, since this runs for every `<` of a text. */
function beginsMarkup(html: string, open: number): boolean {
  const next = html.charCodeAt(open + 1);
  return isLetter(next) || next === 0x21 || next === 0x3f || (next === 0x2f && isLetter(html.charCodeAt(open + 2)));
}

class Scanner {
  readonly #html: string;
  #hasCommentEnd = true;
  #hasTagEnd = true;
  #honoursQuotes = true;

  constructor(html: string) {
    this.#html = html;
  }

  /** True if the rest of the text has no `>`, so that it is all text. */
  get isDone(): boolean {
    return !this.#hasTagEnd;
  }

  /** The end of the markup that begins at `open`; undefined if the `<` there is text. */
  markupEnd(open: number): number | undefined {
    const html = this.#html;
    if (html.startsWith('<!--', open) && this.#hasCommentEnd) {
      const end = html.indexOf('-->', open + 4);
      if (end >= 0) return end + 3;
      this.#hasCommentEnd = false;
    }
    if (!this.#hasTagEnd || !beginsMarkup(html, open)) return undefined;
    const end = this.#honoursQuotes ? this.#quotedTagEnd(open) : undefined;
    if (end !== undefined) return end;
    const plain = html.indexOf('>', open);
    if (plain < 0) this.#hasTagEnd = false;
    return plain < 0 ? undefined : plain + 1;
  }

  /** The first `>` outside quotes. An unclosed quote extends to the end of the text; after one, quotes are ignored. */
  #quotedTagEnd(open: number): number | undefined {
    const html = this.#html;
    let quote = 0;
    for (let at = open; at < html.length; at += 1) {
      const code = html.charCodeAt(at);
      if (quote !== 0) quote = code === quote ? 0 : quote;
      else if (code === 0x3e) return at + 1;
      else if ((code === 0x22 || code === 0x27) && /[=\s]/.test(html.charAt(at - 1))) quote = code;
    }
    this.#honoursQuotes = false;
    return undefined;
  }

  /** The end of a hidden element's content. An unclosed element extends to the end of the text. */
  contentEnd(from: number, name: string): number {
    const close = new RegExp(`</${name}[\\s/>]`, 'gi');
    close.lastIndex = from;
    return close.exec(this.#html)?.index ?? this.#html.length;
  }
}

/** Names are cut to this length; no element has a longer name. */
const LONGEST_NAME = 50;

function tagOf(html: string, open: number, end: number): HtmlToken & { readonly kind: 'tag' } {
  const isEnd = html.charCodeAt(open + 1) === 0x2f;
  const from = open + (isEnd ? 2 : 1);
  let to = from;
  const last = Math.min(end - 1, from + LONGEST_NAME);
  while (to < last && html.charCodeAt(to) > 0x20 && html.charCodeAt(to) !== 0x2f) to += 1;
  const name = html.slice(from, to).toLowerCase();
  return { kind: 'tag', from: open, name, isEnd, attributes: to === end - 1 ? '' : html.slice(to, end - 1) };
}

/**
 * Creates a reader of one attribute. The reader takes the text after a tag's name and returns an empty string if the attribute is missing.
 * It searches only as much text as a real attribute list has.
 */
export function attributeReader(name: string): (attributes: string) => string {
  const pattern = new RegExp(`(?:^|[\\s"'/])${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
  return (attributes) => {
    const match = pattern.exec(attributes.slice(0, 10_000));
    return match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  };
}
