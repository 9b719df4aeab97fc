import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { good, person, REAL_TIMES } from '../support.ts';
import { entity, Model, makeModels, newEndpoint, PATH, query } from './support.ts';

onBothStores(
  'data platform: model serving',
  (bench) => {
    beforeEach(async () => {
      await bench.jar.reset();
      await makeModels(await person(bench));
    });

    it('the published client creates an endpoint, waits for it, queries it, updates it and deletes it', async () => {
      const { jar } = bench;
      const client = new WorkspaceClient({ host: jar.url, token: await jar.token({ user: 'admin', ttl: '365d' }) });
      const waiter = await client.servingEndpoints.create({
        name: 'churn',
        config: { name: 'churn', served_entities: [entity('one')] },
        tags: [{ key: 'team', value: 'data' }],
        description: 'Who leaves',
      });
      expect(await client.servingEndpoints.get({ name: 'churn' })).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        creator: 'admin@vendor.example',
        state: { ready: 'NOT_READY', config_update: 'IN_PROGRESS' },
        pending_config: {
          config_version: 1,
          served_entities: [{ name: 'one', state: { deployment: 'DEPLOYMENT_CREATING' } }],
        },
        permission_level: 'CAN_MANAGE',
        description: 'Who leaves',
      });
      await jar.clock.advance('5m');
      const ready = await waiter.wait();
      expect(ready).toMatchObject({
        state: { ready: 'READY', config_update: 'NOT_UPDATING' },
        config: {
          config_version: 1,
          served_entities: [{ name: 'one', state: { deployment: 'DEPLOYMENT_READY' } }],
          traffic_config: { routes: [{ served_entity_name: 'one', traffic_percentage: 100 }] },
        },
        tags: [{ key: 'team', value: 'data' }],
      });
      expect(ready.pending_config).toBeUndefined();

      const answer = await client.servingEndpoints.query({
        name: 'churn',
        dataframe_split: { columns: ['age'], data: [[31], [64]] },
      });
      expect(answer.predictions).toEqual([{ age: 31 }, { age: 64 }]);

      const update = await client.servingEndpoints.updateConfig({
        name: 'churn',
        served_entities: [entity('one'), entity('two', { entity_version: '2' })],
        traffic_config: {
          routes: [
            { served_model_name: 'one', traffic_percentage: 90 },
            { served_model_name: 'two', traffic_percentage: 10 },
          ],
        },
      });
      expect(await client.servingEndpoints.get({ name: 'churn' })).toMatchObject({
        state: { ready: 'READY', config_update: 'IN_PROGRESS' },
        config: { config_version: 1 },
        pending_config: { config_version: 2 },
      });
      await jar.clock.advance('5m');
      expect(await update.wait()).toMatchObject({ config: { config_version: 2 } });

      const all = [];
      for await (const each of client.servingEndpoints.list()) all.push(each.name);
      expect(all).toEqual(['churn']);
      expect(
        await client.servingEndpoints.put({
          name: 'churn',
          rate_limits: [{ calls: 5, key: 'user', renewal_period: 'minute' }],
        }),
      ).toEqual({
        rate_limits: [{ calls: 5, key: 'user', renewal_period: 'minute' }],
      });
      expect((await client.servingEndpoints.buildLogs({ name: 'churn', served_model_name: 'two' })).logs).toContain(
        'finished successfully',
      );
      await client.servingEndpoints.delete({ name: 'churn' });
      await expect(client.servingEndpoints.get({ name: 'churn' })).rejects.toThrow(
        "Endpoint with name 'churn' does not exist.",
      );
    });

    it('the traffic is split exactly by the percentages, and the header says who answered', async () => {
      const ask = await person(bench);
      await newEndpoint(bench, ask, 'split', {
        served_entities: [entity('a'), entity('b'), entity('c')],
        traffic_config: {
          routes: [
            { served_entity_name: 'a', traffic_percentage: 70 },
            { served_entity_name: 'b', traffic_percentage: 30 },
            { served_entity_name: 'c', traffic_percentage: 0 },
          ],
        },
      });
      const names: (string | null)[] = [];
      for (let i = 0; i < 100; i++)
        names.push((await query(ask, 'split', { instances: [i] })).headers.get('served-model-name'));
      expect(names.filter((name) => name === 'a')).toHaveLength(70);
      expect(names.filter((name) => name === 'b')).toHaveLength(30);
      // Evenly spread, not one after another.
      expect(new Set(names.slice(0, 10))).toEqual(new Set(['a', 'b']));
      const direct = await ask('POST', `/${PATH}/split/served-models/c/invocations`, { instances: [1] });
      expect(direct.headers.get('served-model-name')).toBe('c');
    });

    it('of 32 queries at once for a concurrency of 4 four run, the others are refused', async () => {
      await using model = await Model.open();
      const ask = await person(bench);
      const config = { served_entities: [entity('a', { environment_vars: { CLOUDJAR_MODEL_URL: model.url } })] };
      await newEndpoint(bench, ask, 'busy', config);
      const replies = Array.from({ length: 32 }, () => query(ask, 'busy', { instances: [1] }));
      let refused = 0;
      for (const reply of replies) void reply.then(({ status }) => (refused += Number(status === 429)));
      await expect.poll(() => [model.waiting, refused]).toEqual([4, 28]);
      model.answerAll(200, { predictions: [7] });
      const all = await Promise.all(replies);
      expect(all.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual(
        Array.from({ length: 4 }, () => ({ predictions: [7] })),
      );
      const one = all.find(({ status }) => status === 429);
      expect(one?.body).toMatchObject({ error_code: 'REQUEST_LIMIT_EXCEEDED' });
      expect(one?.headers.get('retry-after')).toBe('1');
      // The slots are free again.
      model.answer = { status: 200, body: { predictions: [8] } };
      expect((await good(query(ask, 'busy', { instances: [1] }))).predictions).toEqual([8]);
      expect(model.bodies.at(-1)).toBe('{"instances":[1]}');
    });

    it('an entity scales to zero, and the first query waits until it has started again', async () => {
      const ask = await person(bench);
      await newEndpoint(bench, ask, 'lazy', { served_entities: [entity('a', { scale_to_zero_enabled: true })] });
      const message = async () =>
        (await good(ask('GET', `${PATH}/lazy`))).config.served_entities[0].state.deployment_state_message;
      await good(query(ask, 'lazy', { instances: [1] }));
      await bench.jar.clock.advance('29m');
      expect(await message()).toBe('');
      await bench.jar.clock.advance('1m');
      expect(await message()).toBe('Scaled to zero');
      let done = false;
      const reply = query(ask, 'lazy', { instances: [2] }).then((answer) => {
        done = true;
        return answer;
      });
      await expect.poll(message).toBe('');
      expect(done).toBe(false);
      await bench.jar.clock.advance('30s');
      expect((await reply).body).toEqual({ predictions: [2] });
      expect((await good(query(ask, 'lazy', { instances: [3] }))).predictions).toEqual([3]);
    });
  },
  REAL_TIMES,
);
