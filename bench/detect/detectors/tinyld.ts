import { answersOf, type Contender, importPackage } from './detector.ts';

interface TinyLd {
  detect(text: string): string;
}

export const tinyld: Contender = {
  name: 'tinyld',
  title: 'tinyld 1.3, heavy',
  codes:
    'af am ar be ber bg bn cs da de el en eo es et fa fi fr ga gu he hi hu hy id is it ja kk km kn ko la lt lv mk mn my nl no pl pt rn ro ru sk sr sv ta te th tk tl tlh tr tt uk ur vi vo yi zh'.split(
      ' ',
    ),
  givesProbabilities: false,
  async load() {
    const { detect } = await importPackage<TinyLd>('tinyld/heavy');
    const answer = answersOf(tinyld);
    return {
      detect(text) {
        const code = detect(text);
        return code === '' ? undefined : answer(code);
      },
    };
  },
};
