import { expect, it } from 'vitest';
import { loadDetector } from '../../../../src/services/translator/detector/index.ts';
import { LIVE_DETECTABLE } from '../../../../src/services/translator/languages/facts.ts';
import { DETECTED_ONLY, TRANSLATED } from '../../../../src/services/translator/languages/table.ts';

it('the detector can name exactly the languages that the API knows', async () => {
  const { languages } = await loadDetector();
  const known = [...TRANSLATED, ...DETECTED_ONLY].map(({ code }) => code);
  expect([...languages].sort()).toEqual(known.toSorted());
  expect(known).toEqual(expect.arrayContaining([...LIVE_DETECTABLE]));
});
