import { describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ask, GERMAN, putKey, VERSION } from '../support.ts';

const TEXTS = [{ Text: GERMAN }];
const ISSUE = '/sts/v1.0/issueToken';

onAnyStore('credentials of the translator', (bench) => {
  const detect = (headers: Record<string, string>, query = VERSION) =>
    ask(bench, '/detect', { key: null, headers, query, body: TEXTS });
  const bearer = (token: string) => detect({ authorization: `Bearer ${token}` });
  const issue = async (key?: string, path = ISSUE) => (await ask(bench, path, { key, query: '' })).text;

  describe('a key', () => {
    it('is taken in the header and in the query', async () => {
      const { translator: key } = await bench.jar.keys();
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect((await detect({ 'OCP-APIM-SUBSCRIPTION-KEY': key })).status).toBe(200);
      expect((await detect({}, `${VERSION}&Subscription-Key=${key}`)).status).toBe(200);
      expect((await detect({}, `${VERSION}&subscription-key=${key}&subscription-region=global`)).status).toBe(200);
    });

    it('takes precedence over other credentials', async () => {
      const { translator: key } = await bench.jar.keys();
      const wrong = { 'Ocp-Apim-Subscription-Key': 'x'.repeat(32) };
      expect((await detect(wrong, `${VERSION}&Subscription-Key=${key}`)).body.error.code).toBe(401001);
      expect((await detect({ ...wrong, authorization: `Bearer ${await bench.jar.token()}` })).body.error.code).toBe(
        401001,
      );
      expect((await detect({ 'Ocp-Apim-Subscription-Key': key, authorization: 'Bearer x' })).status).toBe(200);
    });

    it('that is global is valid in every region', async () => {
      const { translator: key } = await bench.jar.keys();
      for (const region of ['global', 'westeurope', 'anywhere']) {
        const headers = { 'Ocp-Apim-Subscription-Key': key, 'Ocp-Apim-Subscription-Region': region };
        expect((await detect(headers)).status).toBe(200);
      }
    });

    it('of a region needs its name, in the header or the query', async () => {
      const key = await putKey(bench, 'regional', { region: 'westeurope' });
      const inRegion = (region: string) =>
        detect({ 'Ocp-Apim-Subscription-Key': key, 'Ocp-Apim-Subscription-Region': region });
      expect((await inRegion('westeurope')).status).toBe(200);
      expect((await inRegion('West Europe')).status).toBe(200);
      const query = `${VERSION}&Subscription-Key=${key}&Subscription-Region=WESTEUROPE`;
      expect((await detect({}, query)).status).toBe(200);
      for (const wrong of ['global', 'northeurope', '']) {
        expect((await inRegion(wrong)).body.error.code).toBe(401000);
      }
      const missing = await detect({ 'Ocp-Apim-Subscription-Key': key });
      expect(missing).toMatchObject({ status: 401, body: { error: { code: 401000 } } });
      expect(missing.body.error.message).toContain("'Ocp-Apim-Subscription-Region'");
    });

    it('is the same after a reset', async () => {
      const before = await bench.jar.keys();
      await bench.jar.reset();
      expect(await bench.jar.keys()).toEqual(before);
      expect((await detect({ 'Ocp-Apim-Subscription-Key': before.translator })).status).toBe(200);
    });
  });

  describe('a token that is issued for a key', () => {
    it.each([ISSUE, '/translator/text/v3.0/sts/v1.0/issueToken', '/STS/V1.0/ISSUETOKEN'])(
      'comes from %s',
      async (path) => {
        const reply = await ask(bench, path, { query: '' });
        expect(reply.status).toBe(200);
        expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
        expect((await bearer(reply.text)).status).toBe(200);
      },
    );

    it('is issued for a key in the query too, and for a key of a region without naming that', async () => {
      const { translator } = await bench.jar.keys();
      const byQuery = await ask(bench, ISSUE, { key: null, query: `Subscription-Key=${translator}` });
      expect((await bearer(byQuery.text)).status).toBe(200);
      const regional = await putKey(bench, 'of-a-region', { region: 'westeurope' });
      expect((await bearer(await issue(regional))).status).toBe(200);
    });

    it('is valid when the clock of the jar was moved past its ten minutes', async () => {
      const token = await issue();
      await bench.jar.clock.advance('30d');
      expect((await bearer(token)).status).toBe(200);
    });

    it('ends with its key', async () => {
      const key = await putKey(bench, 'short-lived');
      const token = await issue(key);
      expect((await bearer(token)).status).toBe(200);
      await bench.call('DELETE', '/_jar/translator/keys/short-lived', { token: bench.jar.adminKey });
      expect((await bearer(token)).body.error.code).toBe(401000);
    });

    it('belongs to the speech API when its key has been changed to that', async () => {
      const key = await putKey(bench, 'turned');
      const token = await issue(key);
      await putKey(bench, 'turned', { kind: 'speech' });
      expect((await bearer(token)).body.error.code).toBe(401015);
    });

    it('cannot be changed', async () => {
      const [head, claims = '', signature] = (await issue()).split('.');
      const longer = JSON.parse(Buffer.from(claims, 'base64url').toString());
      const forged = Buffer.from(JSON.stringify({ ...longer, exp: longer.exp + 3600 })).toString('base64url');
      expect((await bearer(`${head}.${forged}.${signature}`)).body.error.code).toBe(401000);
      const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
      expect((await bearer(`${unsigned}.${claims}.`)).body.error.code).toBe(401000);
    });

    it('is not issued for another token', async () => {
      const token = await issue();
      const again = await ask(bench, ISSUE, { key: null, query: '', headers: { authorization: `Bearer ${token}` } });
      expect(again).toMatchObject({ status: 401, body: { error: { code: 401000 } } });
    });
  });

  describe('a token of the directory', () => {
    it.each(['admin', 'licensed', 'app', 'other'])('is taken from %s', async (user) => {
      expect((await bearer(await bench.jar.token({ user }))).status).toBe(200);
    });

    it.each([
      ['https://cognitiveservices.azure.com', 200],
      ['https://CognitiveServices.vendor.example/', 200],
      ['https://management.azure.com', 401],
    ])('for the audience %s is answered %i', async (audience, status) => {
      expect((await bearer(await bench.jar.token({ audience }))).status).toBe(status);
    });

    it('that has expired is refused, and so is one with fewer scopes', async () => {
      const short = await bench.jar.token({ ttl: '10s' });
      await bench.jar.clock.advance('10s');
      expect((await bearer(short)).body.error.code).toBe(401000);
      const narrow = await bearer(await bench.jar.token({ scope: 'something.else' }));
      expect(narrow).toMatchObject({ status: 403, body: { error: { code: 403000 } } });
    });

    it.each([
      ['/subscriptions/s/resourceGroups/g/providers/Microsoft.CognitiveServices/accounts/mine', 200],
      ['/subscriptions/s/resourceGroups/g/providers/Vendor.CognitiveServices/accounts/voice', 401],
      ['not an id', 401],
    ])('with the resource id %s is answered %i', async (resourceId, status) => {
      await putKey(bench, 'voice', { kind: 'speech' });
      const headers = {
        authorization: `Bearer ${await bench.jar.token()}`,
        'Ocp-Apim-ResourceId': resourceId,
        'Ocp-Apim-Subscription-Region': 'westeurope',
      };
      expect((await detect(headers)).status).toBe(status);
    });
  });
});

onAnyStore(
  'credentials of a translator with strict expiry',
  (bench) => {
    it('a token for a key is valid for ten minutes of the clock of the jar', async () => {
      const { text: token } = await ask(bench, ISSUE, { query: '' });
      const bearer = () =>
        ask(bench, '/detect', {
          key: null,
          headers: { authorization: `Bearer ${token}` },
          query: VERSION,
          body: TEXTS,
        });
      await bench.jar.clock.advance('9m59s');
      expect((await bearer()).status).toBe(200);
      await bench.jar.clock.advance('1s');
      const late = await bearer();
      expect(late).toMatchObject({ status: 401, body: { error: { code: 401000 } } });
      expect(late.body.error.message).toContain('expired');
    });
  },
  { strictTokenExpiry: true },
);
