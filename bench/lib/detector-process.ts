// The bare detector in its own process: for every message with texts and a duration, it answers with the texts per second.
import { loadDetector } from '../../src/services/translator/detector/index.ts';
import { textsPerSecond } from '../detect/speed.ts';

export interface DetectorOrder {
  readonly texts: readonly string[];
  readonly seconds: number;
}

const { detect } = await loadDetector();
const detector = {
  detect: (text: string) => ({ code: detect(text).language, labels: [] }),
};

process.on('message', ({ texts, seconds }: DetectorOrder) => {
  process.send?.(textsPerSecond(detector, texts, { warmUpMs: 0, rounds: 1, roundMs: seconds * 1000 }));
});
