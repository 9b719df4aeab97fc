import { describe, expect, it } from 'vitest';
import { onBothStores, withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { by } from '../support.ts';

const PHONE = '/apps/owner/phone';
const DESK = '/apps/acme/desk';

onBothStores(
  'API tokens',
  (bench) => {
    it('are shown once, work at once, and are gone for good when they are deleted', async () => {
      const owner = seeded(bench, 'owner');
      const made = await owner.call('POST', '/api_tokens', { description: 'for the build' });
      expect(made).toMatchObject({ status: 201, body: { description: 'for the build', scope: ['all'] } });
      const { id, api_token: secret } = made.body;
      expect(secret).toMatch(/^[0-9a-f]{40}$/);
      await bench.jar.clock.advance('2h');
      const used = await by(bench, secret)('GET', '/api_tokens');
      expect(used.status).toBe(200);
      const listed = used.body.find((each: { id: string }) => each.id === id);
      expect(listed).toEqual({
        id,
        description: 'for the build',
        scope: ['all'],
        created_at: made.body.created_at,
        last_used_at: expect.any(String),
      });
      const secondsSinceUse = (bench.jar.clock.now().getTime() - Date.parse(listed.last_used_at)) / 1000;
      expect(secondsSinceUse).toBeLessThan(60);
      expect(used.text).not.toContain(secret);
      expect((await owner.call('DELETE', `/api_tokens/${id}`)).status).toBe(204);
      expect(await by(bench, secret)('GET', '/api_tokens')).toMatchObject({
        status: 401,
        body: {
          statusCode: 401,
          code: 'Unauthorized',
          message: expect.stringMatching(/^Unauthorized\. Correlation ID: /),
        },
      });
      expect(await owner.call('DELETE', `/api_tokens/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'NotFound', message: expect.stringContaining(id) } },
      });
    });

    it('of others are neither listed nor deleted', async () => {
      const made = await seeded(bench, 'manager').call('POST', '/api_tokens', {});
      const stranger = seeded(bench, 'stranger');
      expect((await stranger.call('GET', '/api_tokens')).body).toHaveLength(1);
      expect((await stranger.call('DELETE', `/api_tokens/${made.body.id}`)).status).toBe(404);
      expect((await by(bench, made.body.api_token)('GET', '/api_tokens')).status).toBe(200);
    });

    it.each([
      [PHONE, 'owner', 201, 201],
      [PHONE, 'manager', 403, 201],
      [PHONE, 'developer', 403, 201],
      [PHONE, 'viewer', 403, 403],
      [PHONE, 'stranger', 404, 404],
      [PHONE, 'org-admin', 404, 404],
      [DESK, 'org-admin', 201, 201],
      [DESK, 'manager', 403, 201],
      [DESK, 'developer', 403, 201],
      [DESK, 'viewer', 403, 403],
      [DESK, 'collaborator', 404, 404],
      [DESK, 'member', 404, 404],
      [DESK, 'owner', 404, 404],
    ])(
      'of %s: %s asks for a full one and gets %i, and for a read-only one and gets %i',
      async (app, name, full, readOnly) => {
        const { call } = seeded(bench, name);
        expect((await call('POST', `${app}/api_tokens`, { scope: ['all'] })).status).toBe(full);
        expect((await call('POST', `${app}/api_tokens`, {})).status).toBe(full);
        expect((await call('POST', `${app}/api_tokens`, { scope: ['viewer'] })).status).toBe(readOnly);
      },
    );

    it('of an app are good for that app alone, with the rights of a manager and no more', async () => {
      const made = await seeded(bench, 'owner').call('POST', `${PHONE}/api_tokens`, { description: 'of the app' });
      const call = by(bench, made.body.api_token);
      expect((await call('GET', `${PHONE}/api_tokens`)).status).toBe(200);
      expect(await call('GET', '/apps/owner/other/api_tokens')).toMatchObject({
        status: 403,
        body: {
          statusCode: 403,
          code: 'Forbidden',
          message: expect.stringContaining('does not belong to the requested app'),
        },
      });
      expect((await call('GET', '/apps/owner/nothing/api_tokens')).status).toBe(403);
      expect((await call('GET', '/api_tokens')).status).toBe(403);
      expect((await call('POST', `${PHONE}/api_tokens`, { scope: ['viewer'] })).status).toBe(201);
      expect((await call('POST', `${PHONE}/api_tokens`, { scope: ['all'] })).status).toBe(403);
    });

    it('that only read cannot make or see tokens', async () => {
      const owner = seeded(bench, 'owner');
      const ofUser = await owner.call('POST', '/api_tokens', { scope: ['viewer'] });
      const ofApp = await owner.call('POST', `${PHONE}/api_tokens`, { scope: ['viewer'] });
      for (const { body } of [ofUser, ofApp]) {
        const call = by(bench, body.api_token);
        expect((await call('POST', '/api_tokens', {})).status).toBe(403);
        expect((await call('GET', '/api_tokens')).status).toBe(403);
        expect((await call('POST', `${PHONE}/api_tokens`, {})).status).toBe(403);
        expect((await call('GET', `${PHONE}/api_tokens`)).status).toBe(403);
      }
    });

    it('of an app are deleted by its managers, and by developers who created them', async () => {
      const developer = seeded(bench, 'developer');
      const own = await developer.call('POST', `${PHONE}/api_tokens`, { scope: ['viewer'] });
      const others = await seeded(bench, 'manager').call('POST', `${PHONE}/api_tokens`, { scope: ['viewer'] });
      expect((await developer.call('DELETE', `${PHONE}/api_tokens/${others.body.id}`)).status).toBe(403);
      expect((await developer.call('DELETE', `/apps/acme/desk/api_tokens/${own.body.id}`)).status).toBe(404);
      expect((await developer.call('DELETE', `${PHONE}/api_tokens/${own.body.id}`)).status).toBe(204);
      expect((await seeded(bench, 'manager').call('DELETE', `${PHONE}/api_tokens/${others.body.id}`)).status).toBe(204);
    });

    it('are counted per creator, user and app tokens together, and deleting one makes room', async () => {
      const { call } = seeded(bench, 'collaborator');
      const setLimit = (limit: number | null) =>
        bench.call('PATCH', '/_jar/limits', {
          token: bench.jar.adminKey,
          body: { name: 'lifecycle.tokens', limit },
        });
      expect((await setLimit(3)).status).toBe(200);
      const made = await call('POST', '/api_tokens', {});
      await call('POST', '/api_tokens', {});
      expect(await call('POST', '/api_tokens', {})).toMatchObject({
        status: 400,
        body: { error: { code: 'BadRequest', message: expect.stringContaining('the maximum is 3') } },
      });
      await call('DELETE', `/api_tokens/${made.body.id}`);
      const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', '/api_tokens', {})));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
      await setLimit(null);
    });
  },
  { seed: SEED },
);

describe('what a token is asked for with', () => {
  withJar(
    (bench) => {
      it.each([
        [{}, ['all']],
        [{ scope: null }, ['all']],
        [{ scope: ['viewer'] }, ['viewer']],
        [{ scope: ['viewer', 'all'] }, ['all']],
        [{ scope: ['all'], description: null }, ['all']],
        [{ unknown: 1 }, ['all']],
      ])('%j gives %j', async (body, scope) => {
        const made = await seeded(bench, 'owner').call('POST', '/api_tokens', body);
        expect(made).toMatchObject({ status: 201, body: { scope } });
      });

      it.each([
        [{ scope: ['everything'] }, 'everything'],
        [{ scope: 'all' }, 'scope'],
        [{ scope: [] }, 'scope is empty'],
        [{ description: 5 }, 'description'],
        [{ description: 'x'.repeat(1001) }, 'description'],
        [[], 'body'],
        ['{', 'JSON'],
      ])('%j is refused, and the message names %s', async (body, named) => {
        const { call } = seeded(bench, 'owner');
        const before = (await call('GET', '/api_tokens')).body.length;
        const answer = await call('POST', '/api_tokens', body);
        expect(answer).toMatchObject({
          status: 400,
          body: { error: { code: 'BadRequest', message: expect.stringContaining(named) } },
        });
        expect((await call('GET', '/api_tokens')).body).toHaveLength(before);
      });

      it('is at most 5,000 times for an account', async () => {
        const limits = await bench.call('GET', '/_jar/limits?name=lifecycle.tokens', { token: bench.jar.adminKey });
        expect(limits.body.value[0]).toMatchObject({ kind: 'quota', table: { limit: 5000 }, scope: ['account'] });
      });
    },
    { seed: SEED },
  );
});
