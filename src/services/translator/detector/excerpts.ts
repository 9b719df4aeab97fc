/** Selects the parts of a text that the detector reads. */

/** Maximum number of code units read: parts suffice to identify the language of a longer text. */
export const LONGEST_READ = 4096;
const PARTS = 8;

const COMBINING_MARKS = /[\u0300-\u036f]/;
const ADDRESS_SIGNS = /:\/\/|www\.|@/i;
const ADDRESS = /:\/\/|^www\.|@/i;
const LETTER = /\p{L}/u;

/** The text to read: without web and mail addresses, which belong to no language, and with composed letters. */
export function excerptOf(text: string): string {
  let excerpt = text.length <= LONGEST_READ ? text : spreadParts(text);
  if (ADDRESS_SIGNS.test(excerpt)) excerpt = withoutAddresses(excerpt);
  return COMBINING_MARKS.test(excerpt) ? excerpt.normalize('NFC') : excerpt;
}

/** Parts of a long text, spread from its beginning to its end. */
function spreadParts(text: string): string {
  const size = Math.floor(LONGEST_READ / PARTS) - 1;
  const gap = (text.length - size) / (PARTS - 1);
  return Array.from({ length: PARTS }, (_, part) => {
    const from = Math.floor(part * gap);
    return text.slice(from, from + size);
  }).join(' ');
}

/** If the text consists of addresses only, they are kept. */
function withoutAddresses(text: string): string {
  const words = text.split(/\s+/).filter((word) => !ADDRESS.test(word));
  const left = words.join(' ');
  return LETTER.test(left) ? left : text;
}
