import { TranslatorTextClient } from '@azure/cognitiveservices-translatortext';
import { ClientSecretCredential } from '@azure/identity';
import { ApiKeyCredentials, type RestError } from '@azure/ms-rest-js';
import createClient, { isUnexpected } from '@azure-rest/ai-translation-text';
import { expect, it } from 'vitest';
import { type Bench, onBothStores } from '../../support/jars.ts';
import { ENGLISH, GERMAN, putKey, RUSSIAN, setLimit } from './support.ts';

/** Published clients over HTTPS; only the address and a credential are set. */

const typed = async (bench: Bench, key?: string) => {
  const inHeader = { 'Ocp-Apim-Subscription-Key': key ?? (await bench.jar.keys()).translator };
  return new TranslatorTextClient(new ApiKeyCredentials({ inHeader }), bench.jar.httpsUrl, { noRetryPolicy: true });
};

const byPath = async (bench: Bench, key?: string, region = 'westeurope') =>
  createClient(
    bench.jar.httpsUrl,
    { key: key ?? (await bench.jar.keys()).translator, region },
    { retryOptions: { maxRetries: 0 } },
  );

/** The package's types do not describe the result. */
const languagesOf = (results: readonly object[]): unknown[] => results.map((each) => Reflect.get(each, 'language'));

const failure = async (promise: Promise<unknown>): Promise<RestError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: RestError) => thrown,
  );
  expect(error).toBeDefined();
  return error as RestError;
};

onBothStores('the official clients', (bench) => {
  it('detect the language of texts', async () => {
    const client = await typed(bench);
    const detected = await client.translator.detect([{ text: GERMAN }, { text: RUSSIAN }, { text: '' }]);
    expect(languagesOf(detected)).toEqual(['de', 'ru', 'en']);
    expect(detected[0]).toMatchObject({ isTranslationSupported: true, isTransliterationSupported: false });

    const other = await byPath(bench);
    const reply = await other.pathUnchecked('/detect').post({ body: [{ text: GERMAN }, { text: ENGLISH }] });
    expect(reply.status).toBe('200');
    expect(reply.body.map(({ language }: { language: string }) => language)).toEqual(['de', 'en']);
    expect(reply.headers['x-requestid']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('break texts into sentences', async () => {
    const text = 'How are you? I am fine. What did you do today?';
    const client = await typed(bench);
    const broken = await client.translator.breakSentence([{ text }], { language: 'en' });
    expect(broken[0]?.sentLen).toEqual([13, 11, 22]);
    const other = await byPath(bench);
    const reply = await other.path('/breaksentence').post({ body: [{ text }] });
    if (isUnexpected(reply)) throw reply.body;
    expect(reply.body[0]).toMatchObject({ sentLen: [13, 11, 22], detectedLanguage: { language: 'en' } });
  });

  it('list the languages in the language of the caller, once', async () => {
    const client = await typed(bench);
    const listed = await client.translator.languages({ scope: ['translation', 'dictionary'], acceptLanguage: 'fr' });
    expect(listed.translation).toMatchObject({ de: { name: 'Allemand', nativeName: 'Deutsch', dir: 'ltr' } });
    expect(listed.dictionary).toMatchObject({ de: { translations: [{ code: 'en', name: 'Anglais' }] } });

    const other = await byPath(bench);
    const first = await other.path('/languages').get({ headers: { 'Accept-Language': 'de' } });
    if (isUnexpected(first)) throw first.body;
    expect(Object.keys(first.body.translation ?? {})).toHaveLength(135);
    expect(first.body.transliteration?.ja?.scripts[0]?.code).toBe('Jpan');
    const headers = { 'Accept-Language': 'de', 'If-None-Match': first.headers.etag };
    expect((await other.path('/languages').get({ headers })).status).toBe('304');
  });

  it('get errors for a wrong key, for too many texts and for unsupported operations', async () => {
    const stranger = await typed(bench, 'wrong'.repeat(6));
    const refused = await failure(stranger.translator.detect([{ text: GERMAN }]));
    expect(refused).toMatchObject({ statusCode: 401 });
    expect(refused.body.error).toEqual({ code: 401001, message: expect.stringContaining('not authorized') });

    const client = await typed(bench);
    const tooMany = await failure(client.translator.detect(new Array(101).fill({ text: 'x' })));
    expect(tooMany).toMatchObject({ statusCode: 400 });
    expect(tooMany.body.error.code).toBe(400072);

    const other = await byPath(bench, 'wrong'.repeat(6));
    const reply = await other.path('/breaksentence').post({ body: [{ text: GERMAN }] });
    expect(isUnexpected(reply) && reply.body.error.code).toBe(401001);
    const translated = await (await byPath(bench))
      .path('/translate')
      .post({ body: [{ text: GERMAN }], queryParameters: { to: 'en' } });
    expect(translated.status).toBe('403');
    expect(isUnexpected(translated) && translated.body.error.code).toBe(403000);
  });

  it('have to name the region of a key that has one', async () => {
    const key = await putKey(bench, 'regional', { region: 'westeurope' });
    const right = await (await byPath(bench, key)).pathUnchecked('/detect').post({ body: [{ text: GERMAN }] });
    const wrong = await (await byPath(bench, key, 'eastus'))
      .pathUnchecked('/detect')
      .post({ body: [{ text: GERMAN }] });
    expect([right.status, wrong.status, wrong.body.error.code]).toEqual(['200', '401', 401000]);
  });

  it('reach the rate and the month of a free key, and continue when time has passed', async () => {
    const key = await putKey(bench, 'free', { tier: 'F0' });
    await setLimit(bench, [
      { name: 'translator.characters-f0', scope: { key: 'free' }, limit: 100 },
      { name: 'translator.monthly-characters-f0', scope: { key: 'free' }, limit: 250 },
    ]);
    const client = await typed(bench, key);
    const hundred = [{ text: 'a'.repeat(100) }];
    const codeOf = async () => {
      const { body, response } = await failure(client.translator.detect(hundred));
      return [body.error.code, response?.headers.get('retry-after')];
    };
    await client.translator.detect(hundred);
    const [code, retryAfter] = await codeOf();
    expect([code, Number(retryAfter) > 0]).toEqual([429001, true]);
    await bench.jar.clock.advance(`${retryAfter}s`);
    await client.translator.detect(hundred);
    await bench.jar.clock.advance('61s');
    expect(await codeOf()).toEqual([403001, undefined]);
    await bench.jar.clock.advance('31d');
    await client.translator.detect(hundred);
  });

  it('call with a token of the directory too, and with one that a key gives', async () => {
    const { httpsUrl } = bench.jar;
    const credential = new ClientSecretCredential(
      '10000000-0000-4000-8000-000000000001',
      '10000000-0000-4000-8000-0000000000a1',
      'cloudjar-app-secret',
      { authorityHost: httpsUrl, disableInstanceDiscovery: true },
    );
    const azureResourceId = '/subscriptions/s/resourceGroups/g/providers/Microsoft.CognitiveServices/accounts/mine';
    const client = createClient(httpsUrl, { tokenCredential: credential, azureResourceId, region: 'westeurope' });
    const reply = await client.pathUnchecked('/detect').post({ body: [{ text: GERMAN }] });
    expect([reply.status, reply.body[0]?.language]).toEqual(['200', 'de']);

    const key = (await bench.jar.keys()).translator;
    const issued = await fetch(`${httpsUrl}/sts/v1.0/issueToken`, {
      method: 'POST',
      headers: { 'Ocp-Apim-Subscription-Key': key },
    });
    const bearer = new ApiKeyCredentials({ inHeader: { Authorization: `Bearer ${await issued.text()}` } });
    const detected = await new TranslatorTextClient(bearer, httpsUrl).translator.detect([{ text: GERMAN }]);
    expect(languagesOf(detected)).toEqual(['de']);
  });

  it('find it at the address of one resource as well', async () => {
    const { jar } = bench;
    const client = createClient(`${jar.httpsUrl}/translator/text/v3.0`, { key: (await jar.keys()).translator });
    const reply = await client.pathUnchecked('/detect').post({ body: [{ text: GERMAN }] });
    expect([reply.status, reply.body[0]?.language]).toEqual(['200', 'de']);
  });
});
