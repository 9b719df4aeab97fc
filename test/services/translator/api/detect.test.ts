import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { ask, detect, ENGLISH, GERMAN, RUSSIAN, VERSION } from '../support.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

withJar((bench) => {
  it.each([
    ['German', GERMAN, { language: 'de', isTranslationSupported: true, isTransliterationSupported: false }],
    ['Russian', RUSSIAN, { language: 'ru', isTranslationSupported: true, isTransliterationSupported: true }],
    ['English', ENGLISH, { language: 'en', isTranslationSupported: true, isTransliterationSupported: false }],
  ])('a text in %s is found to be so', async (_, text, expected) => {
    const reply = await detect(bench, [text]);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual([expect.objectContaining(expected)]);
  });

  it('there is one result for each text, in the order of the texts', async () => {
    const reply = await detect(bench, [RUSSIAN, GERMAN, '', ENGLISH, RUSSIAN]);
    expect(reply.body.map(({ language }: { language: string }) => language)).toEqual(['ru', 'de', 'en', 'en', 'ru']);
  });

  it.each([[''], [' '], ['\n\t\u00a0\u2003']])(
    '%j, where nothing is written, is English with the score 0',
    async (text) => {
      const reply = await detect(bench, [text]);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual([
        { language: 'en', score: 0, isTranslationSupported: true, isTransliterationSupported: false },
      ]);
    },
  );

  it('scores have two decimals, and there are up to two alternatives or none at all', async () => {
    const reply = await detect(bench, [
      GERMAN,
      RUSSIAN,
      ENGLISH,
      'a',
      'ok',
      '12345',
      '😀',
      '\ud800',
      'Ελλάδα and Россия',
    ]);
    expect(reply.status).toBe(200);
    for (const { score, alternatives } of reply.body) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(score).toBe(Number(score.toFixed(2)));
      expect([undefined, 1, 2]).toContain(alternatives?.length);
      for (const other of alternatives ?? []) {
        expect(other.score).toBeLessThanOrEqual(score);
        expect(Object.keys(other).sort()).toEqual([
          'isTranslationSupported',
          'isTransliterationSupported',
          'language',
          'score',
        ]);
      }
    }
  });

  it.each(['/detect', '/Detect', '/DETECT/', '/translator/text/v3.0/detect', '/Translator/Text/V3.0/Detect'])(
    'it is served at %s',
    async (path) => {
      expect((await ask(bench, path, { body: [{ Text: GERMAN }] })).body[0].language).toBe('de');
    },
  );

  it.each([['Text'], ['text'], ['TEXT'], ['tExT']])('the property is taken as %s', async (name) => {
    expect((await ask(bench, '/detect', { body: [{ [name]: GERMAN }] })).body[0].language).toBe('de');
  });

  it('other properties are ignored, and the exact name takes precedence over other casings', async () => {
    const body = [{ text: ENGLISH, Text: GERMAN, TEXT: 1, Language: 'fr', extra: { deep: [] } }];
    expect((await ask(bench, '/detect', { body })).body[0].language).toBe('de');
  });

  it.each([
    ['single quotes', `[{'Text':'${GERMAN}'}]`],
    ['both kinds of quotes', `[{"Text":'${GERMAN}'}, {'Text':"und"}]`],
    ['a byte order mark', `\ufeff[{"Text":"${GERMAN}"}]`],
    ['blanks around everything', ` [ { "Text" : "${GERMAN}" } ] \r\n`],
  ])('a body with %s is read', async (_, body) => {
    const reply = await ask(bench, '/detect', { body });
    expect(reply.status).toBe(200);
    expect(reply.body[0].language).toBe('de');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'the content type %s is taken',
    async (type) => {
      const reply = await ask(bench, '/detect', { body: [{ Text: GERMAN }], headers: { 'content-type': type } });
      expect(reply.status).toBe(200);
    },
  );

  it('an identity content encoding is accepted', async () => {
    const headers = { 'content-encoding': 'Identity' };
    expect((await ask(bench, '/detect', { body: [{ Text: GERMAN }], headers })).status).toBe(200);
  });

  it('100 texts and 50,000 characters in all are just not too many', async () => {
    expect((await detect(bench, new Array(100).fill(GERMAN))).body).toHaveLength(100);
    expect((await detect(bench, ['a '.repeat(25_000)])).status).toBe(200);
    expect((await detect(bench, new Array(100).fill('x'.repeat(500)))).status).toBe(200);
  });

  it('characters are counted, not UTF-16 code units', async () => {
    expect((await detect(bench, ['😀'.repeat(50_000)])).status).toBe(200);
    expect((await detect(bench, ['😀'.repeat(50_001)])).body.error.code).toBe(400050);
    expect((await detect(bench, ['😀'.repeat(25_000), '😀'.repeat(25_001)])).body.error.code).toBe(400077);
  });

  it('every answer has an X-RequestId of its own, and does not return the X-ClientTraceId', async () => {
    const trace = crypto.randomUUID();
    const replies = [
      await detect(bench, [GERMAN], { headers: { 'X-ClientTraceId': trace } }),
      await detect(bench, [GERMAN], { query: `${VERSION}&ClientTraceId=${trace}` }),
      await detect(bench, []),
      await detect(bench, [GERMAN], { key: null }),
      await ask(bench, '/detect', { method: 'GET' }),
      await ask(bench, '/detect/nowhere'),
      await ask(bench, '/languages', { method: 'GET', key: null }),
    ];
    const ids = replies.map(({ headers }) => headers.get('x-requestid'));
    for (const id of ids) expect(id).toMatch(GUID);
    expect(new Set(ids).size).toBe(replies.length);
    for (const { headers } of replies) expect(headers.get('x-clienttraceid')).toBeNull();
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 401, 405, 404, 200]);
    expect(replies[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('a page of another origin may call it', async () => {
    const reply = await detect(bench, [GERMAN], { headers: { origin: 'https://app.example' } });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-expose-headers')).toContain('x-requestid');
  });

  it('the description of the jar tells what it takes, at both addresses', async () => {
    const { body } = await bench.call('GET', '/_jar/openapi.json', { token: bench.jar.adminKey });
    for (const path of ['/detect', '/translator/text/v3.0/breaksentence']) {
      expect(body.paths[path].post.requestBody).toEqual({
        required: true,
        content: { 'application/json': { schema: expect.objectContaining({ type: 'array', maxItems: 100 }) } },
      });
    }
  });
});
