import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { routeCode } from '../jar.ts';
import { takeCharacters } from '../metering.ts';
import { detectedView, detectorOf } from './detected.ts';
import { inTurns } from './in-turns.ts';
import { COMMON_PARAMETERS, TEXTS } from './parameters.ts';
import { readTexts } from './read-texts.ts';

const Candidate = {
  language: Type.String(),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  isTranslationSupported: Type.Boolean(),
  isTransliterationSupported: Type.Boolean(),
};

const DetectionView = Type.Object(
  {
    ...Candidate,
    alternatives: Type.Optional(
      Type.Array(Type.Object(Candidate, { additionalProperties: false }), { minItems: 1, maxItems: 2 }),
    ),
  },
  { additionalProperties: false },
);

export const detect = routeCode([], {
  query: Type.Object(COMMON_PARAMETERS),
  jsonInBytes: TEXTS,
  responses: { 200: Type.Array(DetectionView) },
  async handle(call) {
    const { texts, characters } = readTexts(call);
    await takeCharacters(call, characters);
    const detectOne = await detectorOf(call.jar);
    return ok(await inTurns(texts, (text) => detectedView(detectOne(text))));
  },
});
