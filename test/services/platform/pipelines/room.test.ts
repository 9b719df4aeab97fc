import { beforeEach, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { defaultWorkspaceOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { quotaOf } from '../../../../src/services/platform/limits/declared.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';
import { createPipeline, getPipeline, PIPELINES, scripted, startUpdate, updatesOf } from './support.ts';

const probe = new JarProbe();
const MOST = 100;

onBothStores(
  'data platform: pipeline updates that run at once',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const used = async (row: string): Promise<number> => {
      const { value } = await good(control(bench, 'GET', `limits?name=platform.${row}`));
      return (value[0].use as { used: number }[]).reduce((sum, each) => sum + each.used, 0);
    };

    it('100 run in a workspace; the next one waits in QUEUED until one of them ends', async () => {
      const ids: string[] = [];
      for (let i = 0; i <= MOST; i++) ids.push(await createPipeline(ask, scripted(`p${i}`, 'sleep 600')));
      for (const id of ids) await startUpdate(ask, id);
      expect(await used('pipeline-updates')).toBe(MOST);
      const last = ids.at(-1) as string;
      await bench.jar.clock.advance('5m');
      expect(await getPipeline(ask, last)).toMatchObject({ state: 'DEPLOYING', latest_updates: [{ state: 'QUEUED' }] });
      await good(ask('POST', `${PIPELINES}/${ids[7]}/stop`));
      await bench.jar.clock.advance('10s');
      expect(await getPipeline(ask, ids[7] as string)).toMatchObject({ latest_updates: [{ state: 'CANCELED' }] });
      expect(await getPipeline(ask, last)).toMatchObject({ latest_updates: [{ state: 'CREATED' }] });
      expect(await used('pipeline-updates')).toBe(MOST);
    });

    it('queued updates start in order, are cancelled immediately, and start when the limit is raised', async () => {
      await good(control(bench, 'PATCH', 'limits', { name: 'platform.pipeline-updates', limit: 1 }));
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        const id = await createPipeline(ask, scripted(name, 'sleep 600'));
        ids.push(id);
        await startUpdate(ask, id);
        await bench.jar.clock.advance('1s');
      }
      const states = async () =>
        (await Promise.all(ids.map((id) => getPipeline(ask, id)))).map(({ latest_updates: [{ state }] }) =>
          state === 'QUEUED' ? 'waits' : state === 'COMPLETED' || state === 'CANCELED' ? state : 'runs',
        );
      expect(await states()).toEqual(['runs', 'waits', 'waits', 'waits', 'waits']);
      await good(ask('POST', `${PIPELINES}/${ids[1]}/stop`));
      expect(await states()).toEqual(['runs', 'CANCELED', 'waits', 'waits', 'waits']);
      await bench.jar.clock.advance('13m');
      expect(await states()).toEqual(['COMPLETED', 'CANCELED', 'runs', 'waits', 'waits']);
      await good(control(bench, 'PATCH', 'limits', { name: 'platform.pipeline-updates', limit: 3 }));
      await bench.jar.settled();
      expect(await states()).toEqual(['COMPLETED', 'CANCELED', 'runs', 'runs', 'runs']);
      await good(ask('DELETE', `${PIPELINES}/${ids[4]}`));
      expect(await used('pipeline-updates')).toBe(2);
    });

    it('of many starts of one pipeline at once, one makes an update; starts and stops leave no count behind', async () => {
      const id = await createPipeline(ask, scripted('busy', 'sleep 600'));
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => ask('POST', `${PIPELINES}/${id}/updates`, {})),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const update = replies.find(({ status }) => status === 200)?.body.update_id;
      for (const reply of replies.filter(({ status }) => status !== 200))
        expect(refusal(reply)).toEqual({
          status: 409,
          code: 'RESOURCE_CONFLICT',
          message: `An active update ${update} already exists.`,
        });
      for (let round = 0; round < 5; round++) {
        const mixed = await Promise.all(
          Array.from({ length: 12 }, (_, i) =>
            ask('POST', `${PIPELINES}/${id}/${i % 2 === 0 ? 'updates' : 'stop'}`, {}),
          ),
        );
        expect(mixed.filter(({ status }) => status >= 500)).toEqual([]);
        await bench.jar.clock.advance('20s');
      }
      await good(ask('POST', `${PIPELINES}/${id}/stop`));
      await bench.jar.clock.advance('1m');
      expect(await getPipeline(ask, id)).toMatchObject({ state: 'IDLE' });
      expect(await used('pipeline-updates')).toBe(0);
      const made = await updatesOf(ask, id);
      expect(new Set(made.map(({ state }) => state))).toEqual(new Set(['CANCELED']));
    });

    it('of many pipelines with one name, created at once, there is one', async () => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => ask('POST', PIPELINES, scripted('same', 'exit 0'))),
      );
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(11).fill(409)]);
    });

    it('of 64 starts at once as many run as there is room for, and the others wait', async () => {
      const ids = await Promise.all(
        Array.from({ length: 64 }, (_, i) => createPipeline(ask, scripted(`p${i}`, 'sleep 600'))),
      );
      const limit = quotaOf('pipeline-updates');
      const scope = [defaultWorkspaceOf(SEED_TENANT)];
      const take = (count: number) =>
        probe.jar.store.transact((tx) => probe.jar.limits.takeQuota(tx, { limit, scope, count }));
      await take(MOST - 4);
      await Promise.all(ids.map((id) => startUpdate(ask, id)));
      const states = (await Promise.all(ids.map((id) => updatesOf(ask, id)))).map(([update]) => update?.state);
      expect(states.filter((state) => state === 'QUEUED')).toHaveLength(60);
      expect((await take(0)).current).toBe(MOST);
    });

    it('serverless updates use the quota of the account, and fail if it is exhausted', async () => {
      await good(control(bench, 'PATCH', 'limits', { name: 'platform.serverless', mode: 'enforced', limit: 10 }));
      const first = await createPipeline(ask, scripted('first', 'sleep 600', { serverless: true }));
      const second = await createPipeline(ask, scripted('second', 'sleep 600', { serverless: true }));
      await startUpdate(ask, first);
      await bench.jar.clock.advance('2m');
      expect(await used('serverless')).toBe(8);
      await startUpdate(ask, second);
      await bench.jar.clock.advance('2m');
      expect(await getPipeline(ask, second)).toMatchObject({
        state: 'FAILED',
        cause: expect.stringContaining('Serverless'),
      });
      await good(ask('POST', `${PIPELINES}/${first}/stop`));
      await bench.jar.clock.advance('1m');
      expect(await used('serverless')).toBe(0);
      await startUpdate(ask, second);
      await bench.jar.clock.advance('1h');
      expect((await updatesOf(ask, second))[0]).toMatchObject({ state: 'COMPLETED' });
    });
  },
  { ...REAL_TIMES, services: [...SERVICES, probe.service] },
);
