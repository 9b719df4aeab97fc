import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, by, control, good, person, REAL_TIMES, refusal } from '../support.ts';
import { entity, Model, makeModels, newEndpoint, PATH, query } from './support.ts';

onAnyStore(
  'data platform: limits and permissions of serving endpoints',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      await makeModels(ask);
    });

    describe('limits', () => {
      beforeEach(() => newEndpoint(bench, ask, 'e', { served_entities: [entity('a')] }));

      it('16 MB pass, and one byte more is refused before any of it is read', async () => {
        const most = 16 * 1024 * 1024;
        const body = (bytes: number) => `{"instances":["${'x'.repeat(bytes - 18)}"]}`;
        expect(body(100)).toHaveLength(100);
        expect((await query(ask, 'e', body(most))).status).toBe(200);
        const refused = await query(ask, 'e', body(most + 1));
        expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
        expect(refused.body.message).toContain('Request size cannot exceed 16777216 bytes');
        expect(refused.body.details[0].metadata).toMatchObject({ limit: 'platform.serving-payload', endpoint: 'e' });
      });

      it('a body in chunks is cut off at the limit', async () => {
        const token = await bench.jar.token({ user: 'admin', ttl: '1d' });
        const { hostname, port } = new URL(bench.jar.url);
        let written = 0;
        const status = await new Promise<number>((resolve, reject) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const call = request({ hostname, port, method: 'POST', path: `${PATH}/e/invocations`, headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
            call.destroy();
          });
          call.on('error', reject);
          const chunk = Buffer.alloc(1024 * 1024, 'x');
          const write = (): void => {
            while (written < 200) {
              written++;
              if (!call.write(chunk)) {
                call.once('drain', write);
                return;
              }
            }
          };
          write();
        });
        expect(status).toBe(413);
        expect(written).toBeLessThan(200);
      });

      it('the limit can be lowered for one endpoint', async () => {
        await good(
          control(bench, 'PATCH', 'limits', { name: 'platform.serving-payload', limit: 20, scope: { endpoint: 'e' } }),
        );
        expect((await query(ask, 'e', { instances: [1] })).status).toBe(200);
        expect((await query(ask, 'e', { instances: [1, 2, 3, 4] })).status).toBe(400);
      });

      it('calls per minute are those of the endpoint, or of each user', async () => {
        const licensed = by(bench, await bench.jar.token({ user: 'licensed', ttl: '1d' }));
        const { id } = await good(ask('GET', `${PATH}/e`));
        const acl = [{ user_name: 'licensed@vendor.example', permission_level: 'CAN_QUERY' }];
        await good(ask('PATCH', `/permissions/serving-endpoints/${id}`, { access_control_list: acl }));
        const limit = (calls: number, key: string) =>
          good(ask('PUT', `${PATH}/e/rate-limits`, { rate_limits: [{ calls, key, renewal_period: 'minute' }] }));
        const asks = async (who: Ask) => (await query(who, 'e', { instances: [1] })).status;
        await limit(3, 'endpoint');
        expect([await asks(ask), await asks(licensed), await asks(ask), await asks(licensed)]).toEqual([
          200, 200, 200, 429,
        ]);
        const refused = await query(ask, 'e', { instances: [1] });
        expect(refusal(refused)).toMatchObject({ status: 429, code: 'REQUEST_LIMIT_EXCEEDED' });
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
        await bench.jar.clock.advance('61s');
        await limit(1, 'user');
        expect([await asks(ask), await asks(licensed), await asks(ask), await asks(licensed)]).toEqual([
          200, 200, 429, 429,
        ]);
        await bench.jar.clock.advance('61s');
        expect(await asks(ask)).toBe(200);
        await limit(0, 'endpoint');
        expect(await asks(ask)).toBe(429);
      });

      it('the limit of a user takes precedence over limits of groups, and these over the limit of all users', async () => {
        const limits = (...rate_limits: readonly object[]) =>
          good(
            ask('PUT', `${PATH}/e/ai-gateway`, {
              rate_limits: rate_limits.map((each) => ({ renewal_period: 'minute', ...each })),
            }),
          );
        const passed = async () => {
          let count = 0;
          while (count < 9 && (await query(ask, 'e', { instances: [1] })).status === 200) count++;
          await bench.jar.clock.advance('61s');
          return count;
        };
        const everybody = { key: 'user', calls: 1 };
        const group = { key: 'user_group', principal: 'admins', calls: 2 };
        const other = { key: 'user_group', principal: 'users', calls: 3 };
        const own = { key: 'user', principal: 'Admin@vendor.example', calls: 4 };
        await limits(everybody);
        expect(await passed()).toBe(1);
        await limits(everybody, group);
        expect(await passed()).toBe(2);
        // One of the groups is below its limit.
        await limits(everybody, group, other);
        expect(await passed()).toBe(5);
        await limits(everybody, group, other, own);
        expect(await passed()).toBe(4);
        await limits({ key: 'service_principal', principal: 'x', calls: 0 });
        expect(await passed()).toBe(9);
      });

      it('tokens per minute are those of the requests', async () => {
        await good(ask('PUT', `${PATH}/e/ai-gateway`, { rate_limits: [{ tokens: 10, renewal_period: 'minute' }] }));
        const say = async (content: string) =>
          (await query(ask, 'e', { messages: [{ role: 'user', content }] })).status;
        expect([
          await say('x'.repeat(20)),
          await say('x'.repeat(24)),
          await say('x'.repeat(20)),
          await say('x'),
        ]).toEqual([200, 429, 200, 429]);
      });

      it('queries are measured against the throughput target, and refused only where that is set', async () => {
        const row = async () => (await good(control(bench, 'GET', 'limits?name=platform.serving-queries'))).value[0];
        for (let i = 0; i < 3; i++) await good(query(ask, 'e', { instances: [1] }));
        expect((await row()).use[0]).toMatchObject({ used: 3 });
        const { limits } = await good(ask('GET', '/platform/limits?resource=Model serving'));
        expect(limits.find(({ name }: { name: string }) => name === 'platform.serving-queries')).toMatchObject({
          limit: 200,
          status: 'COUNTED',
          use: [{ used: 3 }],
        });
        await good(control(bench, 'PATCH', 'limits', { name: 'platform.serving-queries', mode: 'enforced', size: 4 }));
        for (let i = 0; i < 4; i++) await good(query(ask, 'e', { instances: [1] }));
        expect((await query(ask, 'e', { instances: [1] })).status).toBe(429);
        await bench.jar.clock.advance('1s');
        await good(query(ask, 'e', { instances: [1] }));
      });

      it('an endpoint without provisioned concurrency has that of the table', async () => {
        await using model = await Model.open();
        const custom = { provider: 'custom', custom_provider_config: { custom_provider_url: model.url } };
        const served = (name: string) => ({ name, external_model: { name, task: 'llm/v1/chat', ...custom } });
        await newEndpoint(bench, ask, 'llm', { served_entities: [served('a'), served('b')] });
        const say = (name: string) =>
          ask('POST', `/${PATH}/llm/served-models/${name}/invocations`, { messages: [{ role: 'user', content: 'x' }] });
        const lower = (row: string, limit: number) =>
          good(control(bench, 'PATCH', 'limits', { name: `platform.${row}`, limit }));
        await lower('serving-model-concurrency', 2);
        await lower('serving-concurrency', 3);
        const running = [say('a'), say('a')];
        await expect.poll(() => model.waiting).toBe(2);
        const third = await say('a');
        expect(third.status).toBe(429);
        expect(third.body.details[0].metadata.limit).toBe('platform.serving-model-concurrency');
        running.push(say('b'));
        await expect.poll(() => model.waiting).toBe(3);
        const fourth = await say('b');
        expect(fourth.body.details[0].metadata.limit).toBe('platform.serving-concurrency');
        model.answerAll(200, { choices: [] });
        expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
      });
    });

    describe('who may', () => {
      it('query needs CAN_QUERY, look CAN_VIEW, change CAN_MANAGE; strangers find nothing', async () => {
        await newEndpoint(bench, ask, 'e', { served_entities: [entity('a')] });
        const { id } = await good(ask('GET', `${PATH}/e`));
        const licensed = by(bench, await bench.jar.token({ user: 'licensed', ttl: '1d' }));
        const allowed = async () => {
          const statuses = await Promise.all([
            licensed('GET', `${PATH}/e`),
            query(licensed, 'e', { instances: [1] }),
            licensed('POST', `/${PATH}/embeddings`, { model: 'e', input: 'x' }),
            licensed('PATCH', `${PATH}/e/tags`, {}),
          ]);
          return statuses.map(({ status }) => status);
        };
        const give = (permission_level: string) =>
          good(
            ask('PUT', `/permissions/serving-endpoints/${id}`, {
              access_control_list: [{ user_name: 'licensed@vendor.example', permission_level }],
            }),
          );
        expect(await allowed()).toEqual([403, 403, 403, 403]);
        expect((await good(licensed('GET', PATH))).endpoints).toEqual([]);
        await give('CAN_VIEW');
        expect(await allowed()).toEqual([200, 403, 403, 403]);
        await give('CAN_QUERY');
        expect(await allowed()).toEqual([200, 200, 200, 403]);
        expect((await good(licensed('GET', `${PATH}/e`))).permission_level).toBe('CAN_QUERY');
        await give('CAN_MANAGE');
        expect(await allowed()).toEqual([200, 200, 200, 200]);
        const other = by(bench, await bench.jar.token({ user: 'other', ttl: '1d' }));
        expect((await query(other, 'e', { instances: [1] })).status).toBe(404);
        expect((await good(other('GET', PATH))).endpoints).toEqual([]);
      });

      it('a caller who may not query is refused before the payload is validated', async () => {
        await newEndpoint(bench, ask, 'e', { served_entities: [entity('a')] });
        const licensed = by(bench, await bench.jar.token({ user: 'licensed', ttl: '1d' }));
        expect((await query(licensed, 'e', `"${'x'.repeat(17 * 1024 * 1024)}"`)).status).toBe(403);
      });
    });
  },
  REAL_TIMES,
);
