import type { Jar } from '../../../kernel/service/index.ts';
import { type Candidate, type Detection, loadDetector } from '../detector/index.ts';
import { isTranslated, isTransliterated, LIVE_DETECTABLE } from '../languages/facts.ts';
import { settingsOf } from '../settings.ts';

const MOST_ALTERNATIVES = 2;

/** Result for a text without a word. */
const NOTHING: Detection = { language: 'en', score: 0, alternatives: [] };

/** Detector with the settings of the jar. */
export const detectorOf = (jar: Jar): Promise<(text: string) => Detection> =>
  textDetector(settingsOf(jar).liveDetectable);

/** Detector function; the command line uses it without a jar. */
export async function textDetector(liveDetectable = false): Promise<(text: string) => Detection> {
  const detector = await loadDetector();
  const allowed = liveDetectable ? LIVE_DETECTABLE : undefined;
  return (text) => (/\S/.test(text) ? detector.detect(text, allowed) : NOTHING);
}

/** Two decimals on the wire. */
export const rounded = (score: number): number => Math.round(score * 100) / 100;

/** As the API shows it. Alternatives whose score rounds to zero are left out. */
export function detectedView({ alternatives, ...best }: Detection) {
  const others = alternatives.map(candidateView).filter(({ score }) => score > 0);
  return { ...candidateView(best), ...(others.length > 0 && { alternatives: others.slice(0, MOST_ALTERNATIVES) }) };
}

const candidateView = ({ language, score }: Candidate) => ({
  language,
  score: rounded(score),
  isTranslationSupported: isTranslated(language),
  isTransliterationSupported: isTransliterated(language),
});
