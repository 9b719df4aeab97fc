import { answersOf, type Contender, importPackage } from './detector.ts';

interface Eld {
  readonly eld: { detect(text: string): { language: string } };
}

export const eld: Contender = {
  name: 'eld',
  title: 'eld 2.1, large',
  codes:
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
      ' ',
    ),
  // It knows Kurdish in Arabic letters only.
  exceptions: { ku: ['ku'] },
  givesProbabilities: false,
  async load() {
    const { eld: detector } = await importPackage<Eld>('eld/large');
    const answer = answersOf(eld);
    return {
      detect(text) {
        const { language } = detector.detect(text);
        return language === '' ? undefined : answer(language);
      },
    };
  },
};
