const ANY = '%';
const ONE = '_';
/** The bits of a word that bitwise operators keep without a sign. */
const WORD_BITS = 31;

/**
 * Tests a text against a LIKE pattern: `%` matches any sequence, `_` one character, and nothing escapes them. The pieces between the `%`
 * are searched one after another, each at its earliest position. The search for a piece is bit-parallel (Shift-And): one bit for each
 * prefix of the piece that the text read so far ends with. So no pattern causes backtracking: the time is that of reading the text once for
 * every 31 characters of the piece.
 */
export function isLike(text: string, pattern: string): boolean {
  const characters = Array.from(text);
  const pieces = pattern.split(ANY).map((piece) => Array.from(piece));
  const first = pieces.shift()!;
  const last = pieces.pop();
  if (!last) return characters.length === first.length && fits(characters, 0, first);
  const end = characters.length - last.length;
  let at = first.length;
  if (at > end || !fits(characters, 0, first) || !fits(characters, end, last)) return false;
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    at = endOf(characters, at, end, piece);
    if (at === -1) return false;
  }
  return true;
}

function fits(characters: readonly string[], at: number, piece: readonly string[]): boolean {
  return piece.every((wanted, i) => wanted === ONE || wanted === characters[at + i]);
}

/** Returns the end of the first match of the piece between `from` and `to`, or -1 if there is none. */
function endOf(characters: readonly string[], from: number, to: number, piece: readonly string[]): number {
  if (to - from < piece.length) return -1;
  const words = Math.ceil(piece.length / WORD_BITS);
  const { masks, others } = masksOf(piece, words);
  const state = new Int32Array(words);
  const lastBit = 1 << ((piece.length - 1) % WORD_BITS);
  for (let at = from; at < to; at++) {
    const mask = masks.get(characters[at]!) ?? others;
    let carry = 1;
    for (let word = 0; word < words; word++) {
      const before = state[word]!;
      state[word] = ((before << 1) | carry) & mask[word]! & 0x7fff_ffff;
      carry = (before >>> (WORD_BITS - 1)) & 1;
    }
    if ((state[words - 1]! & lastBit) !== 0) return at + 1;
  }
  return -1;
}

/** `masks` has, for each character of the piece, its positions in the piece; `others` has the positions of wildcards. */
function masksOf(piece: readonly string[], words: number) {
  const others = new Int32Array(words);
  const masks = new Map<string, Int32Array>();
  for (const [i, wanted] of piece.entries()) {
    const mask = wanted === ONE ? others : (masks.get(wanted) ?? new Int32Array(words));
    mask[Math.floor(i / WORD_BITS)]! |= 1 << (i % WORD_BITS);
    if (wanted !== ONE) masks.set(wanted, mask);
  }
  for (const mask of masks.values()) for (let word = 0; word < words; word++) mask[word]! |= others[word]!;
  return { masks, others };
}
