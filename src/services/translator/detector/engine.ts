import { readFile } from 'node:fs/promises';
import { excerptOf } from './excerpts.ts';
import { type Model, unpackModel } from './model.ts';
import { createRanking } from './ranking.ts';
import { WRITING_SYSTEMS } from './scripts.ts';
import type { Detector } from './types.ts';
import { createWeigher } from './weigher.ts';

/** The weights lie beside this file. A bundle, which is put together in another folder of the package, finds them there too. */
const WEIGHTS = new URL(
  import.meta.url.endsWith('.ts')
    ? './weights/languages.br'
    : '../../src/services/translator/detector/weights/languages.br',
  import.meta.url,
);

export async function openDetector(weights: URL = WEIGHTS): Promise<Detector> {
  return createDetector(unpackModel(await readFile(weights)));
}

export function createDetector(model: Model): Detector {
  const weigh = createWeigher(model);
  const rank = createRanking(model.header);
  const ofSystems = model.header.systems.flatMap((system) => system.languages);
  const ofLetters = WRITING_SYSTEMS.flatMap((system) => system.only ?? []);
  return {
    languages: [...new Set([...ofSystems, ...ofLetters])].sort(),
    detect: (text, allowed) => rank(weigh(excerptOf(text)), allowed),
  };
}
