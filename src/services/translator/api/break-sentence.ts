import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { findLanguage } from '../languages/facts.ts';
import { knownScripts, scriptsOf } from '../languages/scripts.ts';
import type { Language } from '../languages/table.ts';
import { takeCharacters } from '../metering.ts';
import { detectorOf, rounded } from './detected.ts';
import { inTurns } from './in-turns.ts';
import { COMMON_PARAMETERS, TEXTS } from './parameters.ts';
import { readTexts } from './read-texts.ts';

const BrokenText = Type.Object(
  {
    sentLen: Type.Array(Type.Integer()),
    detectedLanguage: Type.Optional(Type.Object({ language: Type.String(), score: Type.Number() })),
  },
  { additionalProperties: false },
);

export const breakSentence = routeCode([], {
  query: Type.Object({
    ...COMMON_PARAMETERS,
    language: Type.Optional(Type.String()),
    script: Type.Optional(Type.String()),
  }),
  jsonInBytes: TEXTS,
  responses: { 200: Type.Array(BrokenText) },
  async handle(call) {
    const language = readLanguage(call.query);
    const { texts, characters } = readTexts(call);
    await takeCharacters(call, characters);
    if (language !== undefined) {
      return ok(await inTurns(texts, (text) => ({ sentLen: sentenceLengths(text, language) })));
    }
    const detectOne = await detectorOf(call.jar);
    return ok(
      await inTurns(texts, (text) => {
        const { language: detected, score } = detectOne(text);
        return {
          sentLen: sentenceLengths(text, detected),
          detectedLanguage: { language: detected, score: rounded(score) },
        };
      }),
    );
  },
});

const LONGEST_SHOWN = 60;

/** Language from the query; throws if the script does not fit it. Undefined if no language was sent. */
function readLanguage(query: { language?: string; script?: string }): string | undefined {
  const found = query.language === undefined ? undefined : findLanguage(query.language);
  if (query.language !== undefined && !found) {
    throw errors.InvalidLanguage({ language: query.language.slice(0, LONGEST_SHOWN) }, { target: 'language' });
  }
  if (query.script !== undefined) checkScript(query.script, found);
  return found?.code;
}

function checkScript(given: string, language: Language | undefined): void {
  const script = given.charAt(0).toUpperCase() + given.slice(1).toLowerCase();
  if (!knownScripts().has(script)) {
    throw errors.InvalidScript({ script: given.slice(0, LONGEST_SHOWN) }, { target: 'script' });
  }
  if (language && !scriptsOf(language).has(script)) {
    throw errors.ScriptNotOfLanguage({ script, language: language.code }, { target: 'script' });
  }
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Lengths in UTF-16 code units, as most clients count. White space after a sentence belongs to it. */
function sentenceLengths(text: string, language: string): number[] {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    // Falls back to English rather than to the locale of the machine.
    segmenter = new Intl.Segmenter([language, 'en'], { granularity: 'sentence' });
    segmenters.set(language, segmenter);
  }
  return Array.from(segmenter.segment(text), ({ segment }) => segment.length);
}
