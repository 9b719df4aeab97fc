import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { withJar } from '../../../support/jars.ts';
import { type Ask, control, good, person } from '../support.ts';

const LIST = 'platform.rate.jobs-list';
const PATH = '/api/2.2/jobs/list';

withJar((bench) => {
  let ask: Ask;
  let token: string;

  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
    token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    await ask('GET', '/preview/sql/query_snippets');
  });

  const row = async (name: string) => (await good(control(bench, 'GET', `limits?name=${name}`))).value[0];
  const used = async (name = LIST): Promise<number> => (await row(name)).use[0]?.used ?? 0;

  /** Sends the path unchanged; clients would normalise it. */
  const raw = (method: string, path: string, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(bench.jar.url);
      const sent = { authorization: `Bearer ${token}`, ...headers };
      const call = request({ hostname, port, method, path, headers: sent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      call.on('error', reject).end();
    });

  describe('what takes from a bucket', () => {
    it.each([
      ['GET', PATH],
      ['GET', '/api/2.1/jobs/list'],
      ['GET', '/jobs/list'],
      ['GET', `${PATH}/`],
      ['GET', '/api/2.2/j%6Fbs/list'],
      ['GET', '/API/2.2/Jobs/LIST'],
      ['GET', '//api/2.2//jobs/list'],
      ['GET', `${PATH}?limit=nonsense`],
      ['HEAD', PATH],
    ])('%s %s does, however it is spelled and whatever comes of it', async (method, path) => {
      expect(await raw(method, path)).toBeLessThan(404);
      expect(await used()).toBe(1);
    });

    it.each([
      ['an unknown credential', 'GET', PATH, { authorization: 'Bearer dapi0000' }, 403],
      ['no credential', 'GET', PATH, { authorization: '' }, 401],
      ['a workspace of others', 'GET', PATH, { 'x-databricks-org-id': '5' }, 403],
      ['another path', 'GET', '/api/2.2/jobs%2Flist', {}, 404],
      ['a method that there is not', 'POST', PATH, {}, 404],
      ['a method that nobody knows', 'PURGE', PATH, {}, 404],
      ['a question of a browser', 'OPTIONS', PATH, { origin: 'http://x', 'access-control-request-method': 'GET' }, 204],
    ])('%s takes nothing', async (_what, method, path, headers, status) => {
      expect(await raw(method, path, headers)).toBe(status);
      expect(await used()).toBe(0);
    });

    it("a call of an administrators' operation by another user takes nothing", async () => {
      const licensed = await person(bench, 'licensed');
      expect((await licensed('GET', '/token-management/tokens')).status).toBe(403);
      expect(await used('platform.rate.token-management')).toBe(0);
    });

    it('a refused call takes nothing, in either scope', async () => {
      await control(bench, 'PATCH', 'limits', { name: 'platform.rate.workspace-import-account', size: 0 });
      for (let i = 0; i < 40; i++) expect((await ask('POST', '/workspace/import', {})).status).toBe(429);
      expect(await used('platform.rate.workspace-import')).toBe(0);
    });
  });

  describe('a bucket of 7 per second', () => {
    const list = async () => {
      const { status, headers } = await ask('GET', PATH);
      return status === 429 ? Number(headers.get('retry-after')) : status;
    };

    beforeEach(() => control(bench, 'PATCH', 'limits', { name: LIST, size: 7, refillPerSecond: 7 }));

    it('refills by fractions of seconds, and answers whole seconds to wait', async () => {
      for (let i = 0; i < 7; i++) expect(await list()).toBe(200);
      expect(await list()).toBe(1);
      await bench.jar.clock.advance('142ms');
      expect(await list()).toBe(1);
      await bench.jar.clock.advance('1ms');
      expect(await list()).toBe(200);
      expect(await list()).toBe(1);
      // In three seconds, in steps of 10 ms, as many calls pass as tokens are refilled: small steps lose nothing.
      let passed = 0;
      for (let i = 0; i < 300; i++) {
        await bench.jar.clock.advance('10ms');
        if ((await list()) === 200) passed++;
      }
      expect(passed).toBe(21);
    });

    it('holds 7 after any idle time, and not more', async () => {
      for (const idle of ['1s', '10m', '400d']) {
        await bench.jar.clock.advance(idle);
        const replies = [];
        for (let i = 0; i < 9; i++) replies.push(await list());
        expect(replies).toEqual([200, 200, 200, 200, 200, 200, 200, 1, 1]);
      }
    });

    it('a client that waits for Retry-After passes, and one that does not is counted and named', async () => {
      for (let i = 0; i < 8; i++) await list();
      await bench.jar.clock.advance('1s');
      expect(await list()).toBe(200);
      expect((await row(LIST)).earlyRetries).toEqual([]);
      while ((await list()) === 200);
      await bench.jar.clock.advance('200ms');
      // The retry passes, since a part of a second refilled one token, but it still counts as an early retry.
      expect(await list()).toBe(200);
      expect((await row(LIST)).earlyRetries).toMatchObject([
        { name: 'admin@vendor.example', times: 1, earliestBySeconds: 0.8 },
      ]);
      const { text } = await control(bench, 'GET', 'metrics');
      expect(text).toMatch(new RegExp(`cloudjar_limit_early_retries_total{limit="${LIST}"} [1-9]`));
    });
  });

  it('workspaces have separate buckets, and the account has one for all of them', async () => {
    const { workspace_id } = await good(
      ask('POST', `/accounts/${accountIdOf(SEED_TENANT)}/workspaces`, {
        workspace_name: 'second',
        deployment_name: 'second',
        location: 'westus2',
      }),
    );
    await bench.jar.clock.advance('10m');
    const there = (path: string) => ask('GET', path, undefined, { 'x-databricks-org-id': String(workspace_id) });
    const statuses = [];
    for (let i = 0; i < 31; i++) statuses.push((await ask('GET', '/workspace/export?path=/none')).status);
    for (let i = 0; i < 20; i++) statuses.push((await there('/workspace/export?path=/none')).status);
    // The account has 50, each workspace 60.
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.at(-1)).toBe(429);
  });
});
