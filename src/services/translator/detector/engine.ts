import { readFile } from 'node:fs/promises';
import { excerptOf, LONGEST_READ } from './excerpts.ts';
import { type Model, readModel } from './model.ts';
import { createRanking } from './ranking.ts';
import { WordReader } from './reader.ts';
import { unknownWriting } from './restriction.ts';
import { WRITING_SYSTEMS } from './scripts.ts';
import type { Detector } from './types.ts';
import { createWeigher } from './weigher.ts';

/** The weights are stored beside this file; in a bundle, which is in another folder of the package, the path differs. */
const WEIGHTS = new URL(
  import.meta.url.endsWith('.ts')
    ? './weights/languages.br'
    : '../../src/services/translator/detector/weights/languages.br',
  import.meta.url,
);

const LETTER = /\p{L}/u;

/** Long texts are judged in parts, so that a text in two languages is not attributed to the first only. */
const LONGEST_PART = 160;

export async function openDetector(weights: URL = WEIGHTS): Promise<Detector> {
  return createDetector(await readModel(await readFile(weights)));
}

export function createDetector(model: Model): Detector {
  const reader = new WordReader(LONGEST_READ);
  const weigh = createWeigher(model);
  const ranking = createRanking(model.header);
  const ofSystems = model.header.systems.flatMap((system) => system.languages);
  const ofLetters = WRITING_SYSTEMS.flatMap((system) => system.only ?? []);
  return {
    languages: [...new Set([...ofSystems, ...ofLetters])].sort(),
    detect(text, allowed) {
      reader.read(excerptOf(text));
      ranking.begin(allowed);
      const { words } = reader;
      const parts = Math.max(1, Math.round(reader.letters() / LONGEST_PART));
      for (let part = 0; part < parts; part += 1) {
        ranking.add(weigh(reader, Math.floor((words * part) / parts), Math.floor((words * (part + 1)) / parts)));
      }
      const answer = ranking.answer();
      return answer.score === 0 && allowed !== undefined && LETTER.test(text) ? unknownWriting(allowed) : answer;
    },
  };
}
