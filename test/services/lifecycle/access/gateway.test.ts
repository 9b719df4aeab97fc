import { describe, expect, it } from 'vitest';
import { startJar } from '../../../../src/testing/index.ts';
import { type Bench, onAnyStore, withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { by } from '../support.ts';

const PHONE = '/apps/owner/phone';

withJar(
  (bench) => {
    describe('a request', () => {
      const bare = (method: string, path: string, headers: Record<string, string> = {}) =>
        bench.call(method, `/v0.1${path}`, { token: null, headers });

      it('without a token is told that it is missing, with a correlation id', async () => {
        const answer = await bare('GET', '/api_tokens');
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual({
          message: `Missing valid authentication token. Correlation ID: ${answer.headers.get('x-correlation-id')}`,
          statusCode: 401,
          code: 'Unauthorized',
        });
      });

      it.each(['', '   '])('with the token %j is as one without', async (token) => {
        expect((await bare('GET', '/api_tokens', { 'x-api-token': token })).body.message).toMatch(/^Missing/);
      });

      it.each(['x', '0'.repeat(40), 'f'.repeat(5000), 'seeded-token-of-owne', 'Seeded-token-of-owner', "' or 1=1 --"])(
        'with the token %.50s, which nobody has, is refused',
        async (token) => {
          expect(await bare('GET', '/api_tokens', { 'x-api-token': token })).toMatchObject({
            status: 401,
            body: { statusCode: 401, code: 'Unauthorized', message: expect.stringMatching(/^Unauthorized\. /) },
          });
        },
      );

      it('does not get through with a token of the directory or the key of the administrator', async () => {
        for (const token of [await bench.jar.token(), bench.jar.adminKey]) {
          expect((await bench.call('GET', '/v0.1/api_tokens', { token })).status).toBe(401);
        }
      });

      it.each([
        ['an owner that nobody is', 'GET', '/apps/nobody/phone/api_tokens'],
        ['an app that is not there', 'GET', '/apps/owner/nothing/api_tokens'],
        ['an app that the caller has no part in', 'GET', '/apps/acme/desk/api_tokens'],
        ['an operation that is not there', 'GET', '/apps/owner/phone/nothing'],
      ])('for %s is answered 404 in the shape of the gateway', async (_, method, path) => {
        const answer = await seeded(bench, 'owner').call(method, path);
        expect(answer).toMatchObject({ status: 404, body: { statusCode: 404, code: 'Not Found' } });
      });

      it.each([
        ['POST', '/apps/owner/phone/nothing'],
        ['PUT', '/nothing/at/all'],
        ['PATCH', '/nothing'],
        ['PUT', '/api_tokens'],
        ['POST', '/apps/owner/nothing/api_tokens'],
      ])('without the body that it needs is 411 before anything else: %s %s', async (method, path) => {
        expect(await seeded(bench, 'owner').call(method, path)).toMatchObject({
          status: 411,
          body: { statusCode: 411, code: 'Length Required' },
        });
        expect((await bare(method, path)).status).toBe(411);
        const { status } = await seeded(bench, 'owner').call(method, path, {});
        expect([404, 405]).toContain(status);
      });

      it('is described with the header of its token, its body, and what the gateway refuses', async () => {
        const { body } = await bench.call('GET', '/_jar/openapi.json', { token: bench.jar.adminKey });
        const { securitySchemes } = body.components;
        expect(securitySchemes['X-API-Token']).toEqual({ type: 'apiKey', in: 'header', name: 'X-API-Token' });
        expect(body.paths['/v0.1/apps/{owner_name}/{app_name}'].get).toMatchObject({
          security: [{ 'X-API-Token': [] }],
          responses: { 401: {}, 403: {}, 404: {}, 429: {} },
        });
        const { post } = body.paths['/v0.1/user/invitations/apps/{invitation_token}/accept'];
        expect(post).toMatchObject({ requestBody: { required: true }, responses: { 403: {}, 411: {} } });
        expect(post.responses).not.toHaveProperty('404');
        expect(body.paths['/logs'].post.security).toEqual([{ 'App-Secret': [] }]);
        expect(body.paths['/v0.1/public/avatars/{avatar_id}'].get.security).toEqual([]);
      });

      it('finds names in any case', async () => {
        expect((await seeded(bench, 'owner').call('GET', '/Apps/OWNER/Phone/api_tokens')).status).toBe(200);
      });

      it('with a method that its URL does not support is told the supported ones', async () => {
        const answer = await seeded(bench, 'owner').call('PUT', '/api_tokens', {});
        expect(answer).toMatchObject({ status: 405, body: { statusCode: 405, code: 'Method Not Allowed' } });
        expect(answer.headers.get('allow')).toContain('POST');
      });
    });

    describe('a body', () => {
      it.each([
        ['POST', '/api_tokens'],
        ['POST', `${PHONE}/api_tokens`],
      ])('is missed in a %s of %s with 411, whoever asks', async (method, path) => {
        for (const token of ['seeded-token-of-owner', 'nobodys']) {
          expect(await by(bench, token)(method, path)).toMatchObject({
            status: 411,
            body: { statusCode: 411, code: 'Length Required', message: expect.stringContaining('{}') },
          });
        }
      });

      it('of no length is none, and {} is one', async () => {
        const { call } = seeded(bench, 'owner');
        expect((await call('POST', '/api_tokens', '')).status).toBe(411);
        expect((await call('POST', '/api_tokens', '{}')).status).toBe(201);
        expect((await call('POST', '/api_tokens', {})).status).toBe(201);
      });

      it('is not needed for GET and DELETE', async () => {
        const { call } = seeded(bench, 'owner');
        expect((await call('GET', '/api_tokens')).status).toBe(200);
        expect((await call('DELETE', '/api_tokens/nothing')).status).toBe(404);
      });
    });
  },
  { seed: SEED },
);

onAnyStore(
  'guessing tokens',
  (bench) => {
    const guess = (n: number) => by(bench, `guess-${n}`)('GET', '/api_tokens');

    it('is slowed down after a hundred attempts from an address until five minutes are over, and never for a token that is right', async () => {
      const answers: number[] = [];
      for (let n = 0; n < 100; n++) answers.push((await guess(n)).status);
      expect(new Set(answers)).toEqual(new Set([401]));
      const stopped = await guess(100);
      expect(stopped).toMatchObject({ status: 429, body: { statusCode: 429, code: 'Too Many Requests' } });
      const { call } = seeded(bench, 'owner');
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
      // A user who shares an address with an attacker must not be locked out.
      for (let n = 0; n < 3; n++) {
        expect((await call('GET', '/api_tokens')).status).toBe(200);
        expect((await guess(n)).status).toBe(429);
      }
      await bench.jar.clock.advance('5m');
      expect((await guess(0)).status).toBe(401);
    });

    it('does not count requests without a token, nor requests refused for missing rights', async () => {
      const { call } = seeded(bench, 'viewer');
      for (let n = 0; n < 60; n++) {
        expect((await bench.call('GET', '/v0.1/api_tokens', { token: null })).status).toBe(401);
        expect((await call('GET', `${PHONE}/api_tokens`)).status).toBe(403);
      }
      expect((await call('GET', '/api_tokens')).status).toBe(200);
    });

    it('has a limit that can be set', async () => {
      await setLimit(bench, { name: 'lifecycle.wrong-tokens', mode: 'unlimited' });
      for (let n = 0; n < 120; n++) expect((await guess(n)).status).toBe(401);
    });
  },
  { seed: SEED },
);

withJar(
  (bench) => {
    it('requests from an address are limited if configured, and the client is told when to retry', async () => {
      const { call } = seeded(bench, 'owner');
      await setLimit(bench, { name: 'lifecycle.requests', mode: 'enforced', limit: 3 });
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push((await call('GET', '/api_tokens')).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      await bench.jar.clock.advance('6m');
      expect((await call('GET', '/api_tokens')).status).toBe(200);
    });
  },
  { seed: SEED },
);

const setLimit = (bench: Bench, change: object) =>
  bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: change });

describe('retirement', () => {
  withJar(
    (bench) => {
      it('is announced in headers, and nothing is closed by default', async () => {
        const answer = await seeded(bench, 'owner').call('GET', '/api_tokens');
        expect(answer.status).toBe(200);
        // RFC 9745 and RFC 8594.
        expect(answer.headers.get('deprecation')).toBe('@1743465600');
        expect(answer.headers.get('sunset')).toBe('Tue, 30 Jun 2026 23:59:59 GMT');
      });
    },
    { seed: SEED },
  );

  it("closes retired operations in the jar's time, if configured", async () => {
    const settings = { lifecycle: { retired: 'closed' } };
    const jar = await startJar({ seed: SEED, settings, clockStart: '2025-03-31T23:00:00Z' });
    try {
      const ask = async (path: string) => {
        const answer = await fetch(`${jar.url}/v0.1${path}`, { headers: { 'x-api-token': 'seeded-token-of-owner' } });
        return [answer.status, answer.headers.get('sunset')];
      };
      const ofService = 'Mon, 31 Mar 2025 23:59:59 GMT';
      const ofRest = 'Tue, 30 Jun 2026 23:59:59 GMT';
      expect(await ask('/orgs')).toEqual([200, ofService]);
      await jar.clock.advance('1h');
      expect(await ask('/orgs')).toEqual([410, ofService]);
      expect(await ask('/apps')).toEqual([200, ofRest]);
      expect(await ask(`${PHONE}/errors/available_versions?start=2025-03-01`)).toEqual([200, ofRest]);
      await jar.clock.advance('456d');
      expect(await ask('/apps')).toEqual([410, ofRest]);
      const gone = await fetch(`${jar.url}/v0.1/orgs`);
      expect(await gone.json()).toEqual({
        message: 'Gone: this part of the service was retired on 31 March 2025.',
        statusCode: 410,
        code: 'Gone',
      });
    } finally {
      await jar.close();
    }
  });

  it('takes no other word for it', async () => {
    const settings = { lifecycle: { retired: 'maybe' } };
    await expect(startJar({ settings })).rejects.toThrow(/services\.lifecycle: retired must be "open" or "closed"/);
  });
});
