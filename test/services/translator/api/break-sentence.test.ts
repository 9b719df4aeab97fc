import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { ask, ENGLISH, GERMAN, VERSION } from '../support.ts';

withJar((bench) => {
  const lengths = (texts: readonly string[], query = '&language=en') =>
    ask(bench, '/breaksentence', { query: VERSION + query, body: texts.map((text) => ({ Text: text })) });

  it('the lengths of the sentences are given, with the blanks that follow them', async () => {
    const reply = await lengths(['How are you? I am fine. What did you do today?']);
    expect(reply).toMatchObject({ status: 200, body: [{ sentLen: [13, 11, 22] }] });
    expect(reply.body[0]).not.toHaveProperty('detectedLanguage');
  });

  it('the language is detected unless it is given', async () => {
    const reply = await lengths([GERMAN, ENGLISH], '');
    expect(reply.body).toEqual([
      { sentLen: [GERMAN.length], detectedLanguage: { language: 'de', score: expect.any(Number) } },
      { sentLen: [ENGLISH.length], detectedLanguage: { language: 'en', score: expect.any(Number) } },
    ]);
  });

  it.each([
    ['&language=zh-Hans', '你好。再见！', [3, 3]],
    ['&language=ZH-HANS&script=hans', '你好。再见！', [3, 3]],
    ['&language=hi', 'नमस्ते। आप कैसे हैं?', [8, 12]],
    ['&language=tlh-Latn', "nuqneH. Qapla'!", [8, 7]],
    ['&script=Latn', 'One. Two.', [5, 4]],
    ['&language=sr-Latn&script=Latn', 'Jedan. Dva.', [7, 4]],
    ['&language=be&script=Latn', 'Adzin. Dva.', [7, 4]],
  ])('with %s %s has the sentences %j', async (query, text, expected) => {
    expect((await lengths([text], query)).body[0].sentLen).toEqual(expected);
  });

  it('an empty text has no sentences', async () => {
    expect((await lengths(['', ' '])).body).toEqual([{ sentLen: [] }, { sentLen: [1] }]);
  });

  it('the lengths of any text add up to its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 10 }), async (texts) => {
        const { body } = await lengths(texts);
        const sums = body.map(({ sentLen }: { sentLen: number[] }) => sentLen.reduce((sum, each) => sum + each, 0));
        expect(sums).toEqual(texts.map((text) => text.length));
      }),
      { numRuns: 50 },
    );
  });
});
