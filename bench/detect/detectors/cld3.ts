import { answersOf, type Contender, importPackage } from './detector.ts';

interface Cld3 {
  loadModule(): Promise<{ create(minBytes: number, maxBytes: number): Identifier }>;
}

interface Identifier {
  findLanguage(text: string): { language: string; probability: number };
}

/** By default it returns no answer for less than 140 bytes. */
const MIN_BYTES = 0;
const MAX_BYTES = 1000;

export const cld3: Contender = {
  name: 'cld3',
  title: 'cld3-asm 4',
  codes:
    'af am ar az be bg bg-Latn bn bs ca ceb co cs cy da de el el-Latn en eo es et eu fa fi fil fr fy ga gd gl gu ha haw hi hi-Latn hmn hr ht hu hy id ig is it iw ja ja-Latn jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my ne nl no ny pa pl ps pt ro ru ru-Latn sd si sk sl sm sn so sq sr st su sv sw ta te tg th tr uk ur uz vi xh yi yo zh zh-Latn zu'.split(
      ' ',
    ),
  // It knows Kurdish in Latin letters only.
  exceptions: { ku: ['kmr'] },
  givesProbabilities: true,
  async load() {
    const { loadModule } = await importPackage<Cld3>('cld3-asm');
    const identifier = (await loadModule()).create(MIN_BYTES, MAX_BYTES);
    const answer = answersOf(cld3);
    return {
      detect(text) {
        const { language, probability } = identifier.findLanguage(text);
        return language === 'und' ? undefined : answer(language, probability);
      },
    };
  },
};
