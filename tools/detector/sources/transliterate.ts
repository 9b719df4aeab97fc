/** Fixed letter-for-letter rules between two scripts of one language. */

// biome-ignore format: a table reads better in rows.
const INUKTITUT_FINALS: Record<string, string> = {
  'ᑉ': 'p', 'ᑦ': 't', 'ᒃ': 'k', 'ᒡ': 'g', 'ᒻ': 'm', 'ᓐ': 'n', 'ᔅ': 's', 'ᓪ': 'l', 'ᔾ': 'j', 'ᕝ': 'v', 'ᕐ': 'r',
  'ᖅ': 'q', 'ᖕ': 'ng', 'ᖖ': 'nng', 'ᖦ': '&', 'ᕼ': 'h', 'ᑊ': 'p', 'ᐤ': 'w', 'ᕻ': 'h', 'ᖯ': 'b', 'ᐦ': 'h', 'ᖮ': '&',
};

/** Each row: consonant, then the signs for i, ii, u, uu, a, aa and (if the northern spelling kept it) ai. */
// biome-ignore format: a table reads better in rows.
const INUKTITUT_ROWS: readonly (readonly [string, string])[] = [
  ['', 'ᐃᐄᐅᐆᐊᐋᐁ'], ['p', 'ᐱᐲᐳᐴᐸᐹᐯ'], ['t', 'ᑎᑏᑐᑑᑕᑖᑌ'], ['k', 'ᑭᑮᑯᑰᑲᑳᑫ'], ['g', 'ᒋᒌᒍᒎᒐᒑᒉ'],
  ['m', 'ᒥᒦᒧᒨᒪᒫᒣ'], ['n', 'ᓂᓃᓄᓅᓇᓈᓀ'], ['s', 'ᓯᓰᓱᓲᓴᓵᓭ'], ['l', 'ᓕᓖᓗᓘᓚᓛᓓ'], ['j', 'ᔨᔩᔪᔫᔭᔮᔦ'],
  ['v', 'ᕕᕖᕗᕘᕙᕚᕓ'], ['r', 'ᕆᕇᕈᕉᕋᕌᕃ'], ['q', 'ᕿᖀᖁᖂᖃᖄᙯ'], ['ng', 'ᖏᖐᖑᖒᖓᖔᙰ'], ['nng', 'ᙱᙲᙳᙴᙵᙶ'], ['&', 'ᖠᖡᖢᖣᖤᖥ'],
];

const INUKTITUT_VOWELS = ['i', 'ii', 'u', 'uu', 'a', 'aa', 'ai'];

const inuktitutSigns = new Map(Object.entries(INUKTITUT_FINALS));
for (const [consonant, signs] of INUKTITUT_ROWS) {
  for (const [place, sign] of [...signs].entries()) inuktitutSigns.set(sign, consonant + INUKTITUT_VOWELS[place]);
}

/** Signs that Inuktitut abolished in 1976; Cree and Ojibwe, its neighbours, use them in almost every word. */
const OLD_SIGNS = new RegExp(`[${INUKTITUT_ROWS.map(([, signs]) => [...signs][6] ?? '').join('')}]`, 'u');

/** True if a word in syllabics can be Inuktitut rather than another language in the same script. */
export const isInuktitut = (word: string): boolean =>
  !OLD_SIGNS.test(word) && !/\p{Script=Canadian_Aboriginal}/u.test(inuktitutToLatin(word));

/** Inuktitut syllabics in the roman spelling of the Inuit Cultural Institute (`&` is its letter for the voiceless l). */
export const inuktitutToLatin = (text: string): string =>
  [...text]
    .map((sign) => inuktitutSigns.get(sign) ?? sign)
    .join('')
    // Many writers type one sound with two signs: q + k for a long q, ng + g for ng.
    .replaceAll('qk', 'qq')
    .replaceAll('ngg', 'ng');

// biome-ignore format: a table reads better in rows.
const TIFINAGH: Record<string, string> = {
  ⴰ: 'a', ⴱ: 'b', ⴳ: 'g', ⴷ: 'd', ⴹ: 'ḍ', ⴻ: 'e', ⴼ: 'f', ⴽ: 'k', ⵀ: 'h', ⵃ: 'ḥ', ⵄ: 'ɛ', ⵅ: 'x', ⵇ: 'q', ⵉ: 'i',
  ⵊ: 'j', ⵍ: 'l', ⵎ: 'm', ⵏ: 'n', ⵓ: 'u', ⵔ: 'r', ⵕ: 'ṛ', ⵖ: 'ɣ', ⵙ: 's', ⵚ: 'ṣ', ⵛ: 'c', ⵜ: 't', ⵟ: 'ṭ', ⵡ: 'w',
  ⵢ: 'y', ⵣ: 'z', ⵥ: 'ẓ', ⵯ: 'ʷ',
};

export const tifinaghToLatin = (text: string): string => [...text].map((letter) => TIFINAGH[letter] ?? letter).join('');

/**
 * Inuktitut in the spelling of Inuinnaqtun, its western neighbour: it has h for s. The words differ in more than that, so this is a
 * substitute for text that is not available.
 */
export const inuktitutToInuinnaqtun = (text: string): string =>
  inuktitutToLatin(text).replaceAll('&', 'hl').replaceAll('s', 'h').replaceAll('jj', 'dj');

/** The letters of Klingon in the order of its own script, which fills a private range from U+F8D0. */
const KLINGON_LETTERS = "a b ch D e gh H I j l m n ng o p q Q r S t tlh u v w y '".split(' ');
const klingonLetter = new RegExp([...KLINGON_LETTERS].sort((left, right) => right.length - left.length).join('|'), 'g');

export const klingonToItsScript = (text: string): string =>
  text
    .replaceAll('’', "'")
    .replace(klingonLetter, (letter) => String.fromCodePoint(0xf8d0 + KLINGON_LETTERS.indexOf(letter)));
