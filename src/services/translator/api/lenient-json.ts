import { parseJson } from '../../../kernel/values/index.ts';

/**
 * JSON, or what is JSON but for single quotes around its texts: the samples of the real service's documentation write it so, and it is
 * read. Anything else throws what the strict reading has thrown.
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
 * Undefined where a text does not end, or where none is in single quotes. Character by character into one piece of memory: anybody may
 * send a megabyte of quotes, and pieces of text for each of them would hold up everybody else.
 */
function withDoubleQuotes(text: string): string | undefined {
  if (!text.includes("'")) return undefined;
  // A double quote within single ones gets a backslash, so that at most everything doubles.
  const written = new Uint16Array(text.length * 2);
  let length = 0;
  /** The quote that the text has to end with; none outside of texts. */
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
      // `\'` is no escape of JSON.
      if (within === DOUBLE_QUOTE || next !== SINGLE_QUOTE) written[length++] = BACKSLASH;
      written[length++] = next;
      continue;
    }
    if (code === DOUBLE_QUOTE) written[length++] = BACKSLASH;
    written[length++] = code;
  }
  return within === undefined ? Buffer.from(written.buffer, 0, length * 2).toString('utf16le') : undefined;
}
