import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { countCharacters } from '../../../../src/services/translator/api/read-texts.ts';
import { withJar } from '../../../support/jars.ts';
import { ask, detect } from '../support.ts';

const RUNS = { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 150 : 60 };

const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));

withJar((bench) => {
  // Read once; `ask` would otherwise request it before every call.
  let key = '';
  beforeAll(async () => {
    key = (await bench.jar.keys()).translator;
  });

  const isFine = (status: number): void => {
    expect([200, 400]).toContain(status);
  };

  it('any JSON value as a body is answered or refused, and never breaks anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => isFine((await ask(bench, '/detect', { key, body })).status)),
      RUNS,
    );
  });

  it('so is any list of almost right elements', async () => {
    const element = fc.oneof(
      fc.record({ Text: fc.string({ unit: 'binary' }) }),
      fc.record({ text: fc.anything() }),
      fc.constantFrom(null, 0, '', [], {}),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (elements) => {
        for (const path of ['/detect', '/breaksentence']) {
          isFine((await ask(bench, path, { key, body: asJson(elements) })).status);
        }
      }),
      RUNS,
    );
  });

  it('so is any text with quotes and backslashes', async () => {
    const piece = fc.constantFrom("'", '"', '\\', '[', ']', '{', '}', ':', ',', 'Text', 'a', '\n', '\\u00', '\ud800');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) =>
        isFine((await ask(bench, '/detect', { key, body: pieces.join('') })).status),
      ),
      RUNS,
    );
  });

  it('any texts have as many results, each of the declared shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), async (texts) => {
        const reply = await detect(bench, texts, { key });
        expect(reply.status).toBe(200);
        expect(reply.body).toHaveLength(texts.length);
      }),
      RUNS,
    );
  });

  it.each([
    ['a hundred thousand open brackets', '['.repeat(100_000)],
    ['as many single quotes', "'".repeat(100_000)],
    ['a text of backslashes in single quotes', `[{'Text':'${'\\\\'.repeat(100_000)}'}]`],
    ['nested arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('%s are refused like anything else', async (_, body) => {
    expect((await ask(bench, '/detect', { key, body })).status).toBe(400);
  });
});

it('characters are counted as an iteration over the text gives them', () => {
  const texts = fc.array(fc.constantFrom('a', 'é', '中', '😀', '\ud83d', '\ude00')).map((parts) => parts.join(''));
  fc.assert(fc.property(texts, (text) => countCharacters(text) === [...text].length));
});
