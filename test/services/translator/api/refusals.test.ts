import { describe, expect, it } from 'vitest';
import { errors } from '../../../../src/services/translator/errors.ts';
import { withJar } from '../../../support/jars.ts';
import { ask, ENGLISH, putKey, type TranslatorCall, VERSION } from '../support.ts';

const TEXTS = [{ Text: ENGLISH }];

interface Case {
  readonly title: string;
  readonly code: number;
  readonly path?: string;
  readonly call?: TranslatorCall;
}

const body = (value: unknown): TranslatorCall => ({ body: value });
const typed = (type: string): TranslatorCall => ({ body: TEXTS, headers: { 'content-type': type } });

const BODIES: readonly Case[] = [
  { title: 'no body', code: 400074 },
  { title: 'an empty body', code: 400074, call: body('') },
  { title: 'a body that breaks off', code: 400074, call: body('[{"Text":"a"}') },
  { title: 'a body of single quotes that breaks off', code: 400074, call: body("[{'Text':'a}]") },
  { title: 'an object', code: 400074, call: body({ Text: 'a' }) },
  { title: 'a text', code: 400074, call: body('"a"') },
  { title: 'null', code: 400074, call: body('null') },
  { title: 'an empty array', code: 400000, call: body([]) },
  { title: 'null as an element', code: 400020, call: body([null]) },
  { title: 'a text as an element', code: 400020, call: body(['a']) },
  { title: 'an array as an element', code: 400020, call: body([[{ Text: 'a' }]]) },
  { title: 'an element without Text', code: 400020, call: body([{ Text: 'a' }, { Txt: 'a' }]) },
  { title: 'a number as Text', code: 400020, call: body([{ Text: 1 }]) },
  { title: 'null as Text', code: 400020, call: body([{ Text: null }]) },
  { title: '101 elements', code: 400072, call: body(new Array(101).fill({ Text: 'a' })) },
  { title: 'one text of 50,001 characters', code: 400050, call: body([{ Text: 'a'.repeat(50_001) }]) },
  {
    title: 'texts of 50,001 characters together',
    code: 400077,
    call: body([{ Text: 'a'.repeat(50_000) }, { Text: ' ' }]),
  },
  {
    title: 'a body of more bytes than any such text has',
    code: 400077,
    call: body(`[{"Text":"${'a'.repeat(1_100_000)}"}]`),
  },
  { title: 'plain text as content type', code: 415000, call: typed('text/plain') },
  { title: 'a form as content type', code: 415000, call: typed('application/x-www-form-urlencoded') },
  { title: 'other JSON as content type', code: 415000, call: typed('text/json') },
  { title: 'a charset other than UTF-8', code: 415000, call: typed('application/json; charset=utf-16') },
  { title: 'a content type that is none', code: 415000, call: typed('json') },
  { title: 'a compressed body', code: 415000, call: { body: TEXTS, headers: { 'content-encoding': 'gzip' } } },
];

const REQUESTS: readonly Case[] = [
  { title: 'no version', code: 400021, call: { body: TEXTS, query: '' } },
  { title: 'another version', code: 400021, call: { body: TEXTS, query: 'api-version=2.0' } },
  {
    title: 'a dated version, which detection is not in',
    code: 400021,
    call: { body: TEXTS, query: 'api-version=2025-05-01-preview' },
  },
  { title: 'the version twice', code: 400021, call: { body: TEXTS, query: `${VERSION}&${VERSION}` } },
  { title: 'a trace id that is no GUID', code: 400043, call: { body: TEXTS, headers: { 'X-ClientTraceId': 'mine' } } },
  {
    title: 'a trace id without hyphens',
    code: 400043,
    call: { body: TEXTS, headers: { 'X-ClientTraceId': '0'.repeat(32) } },
  },
  {
    title: 'such a trace id in the query',
    code: 400043,
    call: { body: TEXTS, query: `${VERSION}&ClientTraceId=mine` },
  },
  { title: 'no credentials', code: 401000, call: { body: TEXTS, key: null } },
  {
    title: 'no credentials with a content type that is none',
    code: 401000,
    call: { ...typed('json'), key: null },
  },
  {
    title: 'no credentials with a body that is not even read',
    code: 401000,
    call: { body: `[{"Text":"${'a'.repeat(1_100_000)}"}]`, key: null },
  },
  { title: 'an empty key', code: 401000, call: { body: TEXTS, key: '' } },
  {
    title: 'another scheme than Bearer',
    code: 401000,
    call: { body: TEXTS, key: null, headers: { authorization: 'Basic YTpi' } },
  },
  {
    title: 'a bearer token that is none',
    code: 401000,
    call: { body: TEXTS, key: null, headers: { authorization: 'Bearer abc' } },
  },
  { title: 'a key that nobody has', code: 401001, call: { body: TEXTS, key: '0'.repeat(32) } },
  { title: 'GET', code: 405000, call: { method: 'GET' } },
  { title: 'PUT', code: 405000, call: { method: 'PUT', body: TEXTS } },
  { title: 'an address below', code: 404000, path: '/detect/all', call: { body: TEXTS } },
  { title: 'an address that is nowhere', code: 404000, path: '/translator/text/v3.0/guess', call: { body: TEXTS } },
  {
    title: 'another version in the address',
    code: 404000,
    path: '/translator/text/v2.0/detect',
    call: { body: TEXTS },
  },
  ...[
    '/translate',
    '/transliterate',
    '/dictionary/lookup',
    '/Dictionary/Examples',
    '/translator/text/v3.0/translate',
  ].map((path) => ({ title: `${path}, which a jar does not offer`, code: 403000, path, call: { body: TEXTS } })),
];

const ELSEWHERE: readonly Case[] = [
  {
    title: 'a language that there is not',
    code: 400003,
    path: '/breaksentence',
    call: { body: TEXTS, query: `${VERSION}&language=xx` },
  },
  {
    title: 'a script that there is not',
    code: 400073,
    path: '/breaksentence',
    call: { body: TEXTS, query: `${VERSION}&script=Zzzz` },
  },
  {
    title: 'a script of other languages',
    code: 400006,
    path: '/breaksentence',
    call: { body: TEXTS, query: `${VERSION}&language=de&script=Cyrl` },
  },
  {
    title: 'a scope that there is not',
    code: 400001,
    path: '/languages',
    call: { method: 'GET', query: `${VERSION}&scope=translation,speech` },
  },
  { title: 'an empty scope', code: 400001, path: '/languages', call: { method: 'GET', query: `${VERSION}&scope=` } },
  { title: 'languages without a version', code: 400021, path: '/languages', call: { method: 'GET', query: '' } },
  {
    title: 'languages with a bad trace id',
    code: 400043,
    path: '/languages',
    call: { method: 'GET', headers: { 'X-ClientTraceId': '1' } },
  },
  { title: 'languages by POST', code: 405000, path: '/languages', call: { body: TEXTS } },
  { title: 'a token without a key', code: 401000, path: '/sts/v1.0/issueToken', call: { key: null } },
  { title: 'a token for a wrong key', code: 401001, path: '/sts/v1.0/issueToken', call: { key: 'x'.repeat(32) } },
];

withJar((bench) => {
  describe.each([
    ['of the body', BODIES],
    ['of the request', REQUESTS],
    ['of other operations', ELSEWHERE],
  ])('mistakes %s', (_, cases) => {
    it.each(cases)('$title is $code', async ({ code, path = '/detect', call }) => {
      const reply = await ask(bench, path, call);
      expect(reply.body).toEqual({ error: { code, message: expect.stringMatching(/^[A-Z].{10,}\.$/s) } });
      expect(reply.status).toBe(Math.floor(code / 1000));
    });
  });

  it('a key of the speech API is known as that', async () => {
    const key = await putKey(bench, 'voice', { kind: 'speech' });
    for (const path of ['/detect', '/sts/v1.0/issueToken']) {
      const reply = await ask(bench, path, { key, body: TEXTS });
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 401015 } } });
    }
  });

  it('the message says which element it is, and what is wrong with it', async () => {
    const reply = await ask(bench, '/detect', { body: [{ Text: 'a' }, { Text: 'b' }, { Text: [] }] });
    expect(reply.body.error.message).toBe("The element 2 of the array is not valid: its 'Text' must be a string.");
  });

  it('each mistake hides those that are checked later', async () => {
    const long = 'a'.repeat(50_001);
    const worst = {
      key: null as string | null | undefined,
      query: '',
      headers: { 'X-ClientTraceId': 'mine', 'content-type': 'text/plain' } as Record<string, string>,
      body: '[' as unknown,
    };
    const codes: number[] = [];
    const next = async (mend: (call: typeof worst) => void) => {
      codes.push((await ask(bench, '/detect', worst)).body.error.code);
      mend(worst);
    };
    await next((call) => {
      call.key = undefined;
    });
    await next((call) => {
      call.query = VERSION;
    });
    await next((call) => {
      delete call.headers['X-ClientTraceId'];
    });
    await next((call) => {
      call.headers['content-type'] = 'application/json';
    });
    await next((call) => {
      call.body = new Array(101).fill(0);
    });
    await next((call) => {
      call.body = [{ Text: long }, 0];
    });
    await next((call) => {
      call.body = [{ Text: long }, { Text: long }];
    });
    await next((call) => {
      call.body = [{ Text: 'a'.repeat(49_000) }, { Text: 'a'.repeat(49_000) }];
    });
    await next(() => {});
    expect(codes).toEqual([401000, 400021, 400043, 415000, 400074, 400072, 400020, 400050, 400077]);
  });

  it('errors tell the trace id of the client, and those of the server when they happened and to whom', async () => {
    const trace = crypto.randomUUID();
    const headers = { 'X-ClientTraceId': trace };
    const refused = await ask(bench, '/detect', { body: [], headers });
    expect(refused.body.error.message).toMatch(new RegExp(` X-ClientTraceId: ${trace}\\.$`));
    for (const status of [500, 503]) {
      const fault = await bench.jar.faults.add({ match: { service: 'translator' }, effect: { status } });
      const broken = await ask(bench, '/detect', { body: TEXTS, query: `${VERSION}&clienttraceid=${trace}` });
      await bench.jar.faults.remove(fault.id);
      expect(broken).toMatchObject({ status, body: { error: { code: status * 1000 } } });
      const id = broken.headers.get('x-requestid');
      const time = bench.jar.clock.now().toISOString();
      expect(broken.body.error.message).toContain(` Time: ${time}. X-RequestId: ${id}. X-ClientTraceId: ${trace}.`);
    }
  });

  it.each([
    [429, 429001],
    [401, 401000],
    [413, 413000],
    [418, 418000],
  ])('a status %i that is ordered has the code %i', async (status, code) => {
    const fault = await bench.jar.faults.add({ match: { service: 'translator' }, effect: { status } });
    const reply = await ask(bench, '/detect', { body: TEXTS });
    await bench.jar.faults.remove(fault.id);
    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  it.each([429, 503])('an injected status %i has a Retry-After', async (status) => {
    const fault = await bench.jar.faults.add({ match: { service: 'translator' }, effect: { status } });
    const reply = await ask(bench, '/detect', { body: TEXTS });
    await bench.jar.faults.remove(fault.id);
    expect(reply.headers.get('retry-after')).toBe('1');
  });
});

it('every error of the table has a status that fits its code', () => {
  for (const make of Object.values(errors)) {
    const { status, code } = (make as (values: object) => { status: number; code: string })({});
    expect(code).toMatch(/^\d{6}$/);
    expect(status).toBe(Number(code.slice(0, 3)));
  }
});
