/**
 * JSON, or what is JSON but for single quotes around its texts: the samples of the real service's documentation write it so, and it is
 * read. Anything else throws what the strict reading has thrown.
 */
export function parseLeniently(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const strict = withDoubleQuotes(text);
    if (strict === undefined) throw error;
    try {
      return JSON.parse(strict);
    } catch {
      throw error;
    }
  }
}

const QUOTE = /["']/g;

/** Undefined where a text does not end, or where none is in single quotes. By hand, as a pattern could run out of stack on a long text. */
function withDoubleQuotes(text: string): string | undefined {
  const pieces: string[] = [];
  let isChanged = false;
  let done = 0;
  for (;;) {
    QUOTE.lastIndex = done;
    const open = QUOTE.exec(text)?.index;
    if (open === undefined) break;
    const close = endOfText(text, open);
    if (close === undefined) return undefined;
    const inner = text.slice(open + 1, close);
    const isSingle = text.charAt(open) === "'";
    pieces.push(text.slice(done, open), '"', isSingle ? requoted(inner) : inner, '"');
    if (isSingle) isChanged = true;
    done = close + 1;
  }
  return isChanged ? pieces.join('') + text.slice(done) : undefined;
}

/** Where the quote at `open` is answered; a backslash takes the next character with it. */
function endOfText(text: string, open: number): number | undefined {
  const quote = text.charCodeAt(open);
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === BACKSLASH) at++;
  }
  return undefined;
}

const BACKSLASH = 0x5c;

/** `\'` is no escape of JSON, and a double quote within needs one. */
const requoted = (inner: string): string =>
  inner.replace(/\\[\s\S]|"/g, (found) => (found === "\\'" ? "'" : found === '"' ? '\\"' : found));
