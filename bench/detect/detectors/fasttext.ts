import { answersOf, type Contender, importPackage } from './detector.ts';

interface FastText {
  getLIDModel(): Promise<{ load(): Promise<FastTextModel> }>;
}

interface FastTextModel {
  predict(text: string, most: number, threshold: number): { size(): number; get(at: number): [number, string] };
}

const PREFIX = '__label__'.length;

export const fasttext: Contender = {
  name: 'fasttext',
  title: 'fasttext.wasm.js 1.0',
  codes:
    'af als am an ar arz as ast av az azb ba bar bcl be bg bh bn bo bpy br bs bxr ca cbk ce ceb ckb co cs cv cy da de diq dsb dty dv el eml en eo es et eu fa fi fr frr fy ga gd gl gn gom gu gv he hi hif hr hsb ht hu hy ia id ie ilo io is it ja jbo jv ka kk km kn ko krc ku kv kw ky la lb lez li lmo lo lrc lt lv mai mg mhr min mk ml mn mr mrj ms mt mwl my myv mzn nah nap nds ne new nl nn no oc or os pa pam pfl pl pms pnb ps pt qu rm ro ru rue sa sah sc scn sco sd sh si sk sl so sq sr su sv sw ta te tg th tk tl tr tt tyv ug uk ur uz vec vep vi vls vo wa war wuu xal xmf yi yo yue zh'.split(
      ' ',
    ),
  // Codes of Wikipedias: there `als` is Alemannic, and `ku` is Kurdish in Latin letters, beside `ckb`.
  exceptions: { als: [], ku: ['kmr'] },
  givesProbabilities: true,
  async load() {
    const { getLIDModel } = await importPackage<FastText>('fasttext.wasm.js');
    const model = await (await getLIDModel()).load();
    const answer = answersOf(fasttext);
    return {
      // The synchronous call behind `identify`, which only wraps it in a promise.
      detect(text) {
        const found = model.predict(text, 1, 0);
        if (found.size() === 0) return undefined;
        const [score, label] = found.get(0);
        return answer(label.slice(PREFIX), score);
      },
    };
  },
};
