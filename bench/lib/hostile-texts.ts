import { seededRandom } from '../detect/random.ts';

/** Texts that are designed to be slow; together as long as a request may be, in Unicode characters. */
export interface Hostile {
  readonly title: string;
  readonly texts: readonly string[];
}

const SEED = 11;

/** Letters of many scripts, so that neighbouring letters are never of the same script. */
const SCRIPTS = [
  'abcdefgh',
  'абвгдежз',
  'αβγδεζηθ',
  'אבגדהוזח',
  'ابتثجحخد',
  'कखगघङचछज',
  '的一是不了人我在',
  'กขคงจฉชซ',
  '가나다라마바사아',
  'აბგდევზთ',
];

export function hostileRequests(length: number, textsAtOnce: number): Hostile[] {
  const random = seededRandom(SEED);
  const pick = <Item>(items: ArrayLike<Item>): Item => items[Math.floor(random() * items.length)]!;
  const filled = (next: (at: number) => string, characters = length): string => {
    const parts: string[] = [];
    for (let at = 0, count = 0; count < characters; at++) {
      const part = next(at);
      count += Array.from(part).length;
      // The part that would exceed the length is left out.
      if (count <= characters) parts.push(part);
    }
    return parts.join('');
  };
  const mixed = (at: number): string => pick(SCRIPTS[at % SCRIPTS.length]!);
  const letter = (): string => pick('abcdefghijklmnopqrstuvwxyz');
  const codePoint = (): string => String.fromCodePoint(Math.floor(random() * 0x10_0000));
  return [
    { title: 'one letter again and again', texts: ['a'.repeat(length)] },
    { title: 'one word', texts: [filled(letter)] },
    { title: 'words of one letter', texts: [filled((at) => (at % 2 === 0 ? letter() : ' '))] },
    { title: 'every letter of another script', texts: [filled(mixed)] },
    {
      title: 'every word of another script',
      texts: [filled((at) => (at % 6 === 5 ? ' ' : mixed(Math.floor(at / 6))))],
    },
    { title: 'emoji', texts: [filled(() => String.fromCodePoint(0x1f600 + Math.floor(random() * 64)))] },
    { title: 'lone surrogates', texts: [filled((at) => (at % 2 === 0 ? '\udc00' : '\ud800x'))] },
    { title: 'marks without letters', texts: [filled(() => String.fromCharCode(0x300 + Math.floor(random() * 112)))] },
    { title: 'random code points', texts: [filled(codePoint)] },
    {
      title: `${textsAtOnce} texts of mixed characters`,
      texts: Array.from({ length: textsAtOnce }, () =>
        filled((at) => (random() < 0.5 ? mixed(at) : random() < 0.5 ? codePoint() : ' '), length / textsAtOnce),
      ),
    },
  ];
}

/** The same total length of ordinary sentences, in the same number of texts. */
export function ordinaryRequest(sentences: readonly string[], length: number, texts: number): string[] {
  const all = sentences.join(' ');
  const long = all.repeat(Math.ceil(length / all.length));
  const each = Math.floor(length / texts);
  return Array.from({ length: texts }, (_, at) => long.slice(at * each, (at + 1) * each));
}
