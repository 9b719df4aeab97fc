/** What of a text the detector looks at. */

/** Most code units of a text that are read: the language of a longer one shows in parts of it. */
export const LONGEST_READ = 4096;
const PARTS = 8;

const COMBINING_MARKS = /[\u0300-\u036f]/;
const ADDRESS_SIGNS = /:\/\/|www\.|@/i;
const ADDRESS = /:\/\/|^www\.|@/i;
const LETTER = /\p{L}/u;

/** The text to read: without addresses of pages and mailboxes, which are in no language, and with letters in their composed form. */
export function excerptOf(text: string): string {
  let excerpt = text.length <= LONGEST_READ ? text : spreadParts(text);
  if (ADDRESS_SIGNS.test(excerpt)) excerpt = withoutAddresses(excerpt);
  return COMBINING_MARKS.test(excerpt) ? excerpt.normalize('NFC') : excerpt;
}

/** Parts of a long text, from its beginning to its end. */
function spreadParts(text: string): string {
  const size = Math.floor(LONGEST_READ / PARTS) - 1;
  const gap = (text.length - size) / (PARTS - 1);
  return Array.from({ length: PARTS }, (_, part) => {
    const from = Math.floor(part * gap);
    return text.slice(from, from + size);
  }).join(' ');
}

/** Where nothing else is left, an address is better than nothing. */
function withoutAddresses(text: string): string {
  const words = text.split(/\s+/).filter((word) => !ADDRESS.test(word));
  const left = words.join(' ');
  return LETTER.test(left) ? left : text;
}
