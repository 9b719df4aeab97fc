import { loadDetector } from '../../../src/services/translator/detector/index.ts';
import { LABELS } from '../labels.ts';
import type { Contender } from './detector.ts';

export const ours: Contender = {
  name: 'ours',
  title: 'cloudjar',
  codes: LABELS,
  // Each of our codes is a label of its own: an answer of `fr` is wrong for a text of `fr-ca`.
  exceptions: Object.fromEntries(LABELS.map((label) => [label, [label]])),
  givesProbabilities: true,
  async load() {
    const detector = await loadDetector();
    return {
      detect(text) {
        const { language, score } = detector.detect(text);
        return { code: language, labels: [language], score };
      },
    };
  },
};
