import { parseJson } from '../../../kernel/values/index.ts';

/**
 * Parses JSON, also with single-quoted texts: the samples in the real service's documentation use them, and the real service accepts them.
 * For anything else, throws the error of the strict parser.
 */
export function parseLeniently(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    const strict = withDoubleQuotes(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    if (strict === undefined) throw error;
    try {
      return parseJson(Buffer.from(strict));
    } catch {
      throw error;
    }
  }
}

const SINGLE_QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns undefined if a text is not terminated or no text is in single quotes. Writes code units into one buffer: a body can be a megabyte
 * of quotes, and a string for each would block other requests.
 */
function withDoubleQuotes(text: string): string | undefined {
  if (!text.includes("'")) return undefined;
  // A double quote within single quotes gets a backslash, so the length at most doubles.
  const written = new Uint16Array(text.length * 2);
  let length = 0;
  /** Quote that ends the current text; undefined outside of texts. */
  let within: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isQuote = code === SINGLE_QUOTE || code === DOUBLE_QUOTE;
    if (within === undefined || code === within) {
      if (isQuote) within = within === undefined ? code : undefined;
      written[length++] = isQuote ? DOUBLE_QUOTE : code;
      continue;
    }
    if (code === BACKSLASH) {
      const next = text.charCodeAt(++at);
      // `\'` is not a JSON escape.
      if (within === DOUBLE_QUOTE || next !== SINGLE_QUOTE) written[length++] = BACKSLASH;
      written[length++] = next;
      continue;
    }
    if (code === DOUBLE_QUOTE) written[length++] = BACKSLASH;
    written[length++] = code;
  }
  return within === undefined ? Buffer.from(written.buffer, 0, length * 2).toString('utf16le') : undefined;
}
