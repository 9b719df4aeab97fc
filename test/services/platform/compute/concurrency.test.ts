import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { createJob, getRun, runNow, task } from '../jobs/support.ts';
import { type Ask, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';
import { createCluster, eventTypes, getCluster, NODE, PLAIN, patient, runningCluster } from './support.ts';

onBothStores(
  'data platform: concurrent changes of clusters and warehouses',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = patient(await person(bench));
    });

    const post = async (verb: string, body: object) => refusal(await ask('POST', `/clusters/${verb}`, body));

    it('of two edits of a running cluster one restarts it, and the other is refused', async () => {
      const cluster_id = await runningCluster(bench, ask);
      const answers = await Promise.all([3, 4, 5].map((n) => post('edit', { cluster_id, ...PLAIN, num_workers: n })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      expect(new Set(answers.flatMap(({ code }) => code ?? []))).toEqual(new Set(['INVALID_STATE']));
      const edited = [3, 4, 5][answers.findIndex(({ status }) => status === 200)];
      await bench.jar.clock.advance('2m');
      expect(await getCluster(ask, cluster_id)).toMatchObject({ state: 'RUNNING', num_workers: edited });
      expect((await eventTypes(ask, cluster_id)).filter((type) => type === 'EDITED')).toHaveLength(1);
    });

    it('concurrent edits of a terminated cluster all succeed, one after another', async () => {
      const cluster_id = await runningCluster(bench, ask);
      await post('delete', { cluster_id });
      await bench.jar.clock.advance('1m');
      const masks = ['a', 'b', 'c', 'd', 'e', 'f'];
      const answers = await Promise.all(
        masks.map((name) =>
          post('update', { cluster_id, update_mask: `spark_conf.${name}`, cluster: { spark_conf: { [name]: '1' } } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(masks.map(() => 200));
      expect(Object.keys((await getCluster(ask, cluster_id)).spark_conf).sort()).toEqual(masks);
    });

    it('after concurrent start and delete, in either order, the cluster ends in a consistent state', async () => {
      const cluster_id = await runningCluster(bench, ask);
      await post('delete', { cluster_id });
      await bench.jar.clock.advance('1m');
      for (let round = 0; round < 4; round++) {
        const verbs = ['start', 'delete', 'start', 'delete', 'start'];
        const answers = await Promise.all(verbs.map((verb) => post(verb, { cluster_id })));
        expect(answers.filter(({ status }) => status === 500)).toEqual([]);
        expect(answers.filter(({ status }, n) => status === 200 && verbs[n] === 'start')).toHaveLength(1);
        await bench.jar.clock.advance('10m');
        expect((await getCluster(ask, cluster_id)).state).toMatch(/^(RUNNING|TERMINATED)$/);
        await post('delete', { cluster_id });
        await bench.jar.clock.advance('10m');
        expect((await getCluster(ask, cluster_id)).state).toBe('TERMINATED');
      }
    });

    it('64 concurrent pins in addition to 90 reach the limit of 100 exactly', async () => {
      const ids = await Promise.all(Array.from({ length: 154 }, () => createCluster(ask)));
      await Promise.all(ids.slice(0, 90).map((cluster_id) => post('pin', { cluster_id })));
      const answers = await Promise.all(ids.slice(90).map((cluster_id) => post('pin', { cluster_id })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ code }) => code === 'QUOTA_EXCEEDED')).toHaveLength(54);
      await Promise.all(ids.slice(0, 20).map((cluster_id) => post('unpin', { cluster_id })));
      const again = await Promise.all(ids.slice(90).map((cluster_id) => post('pin', { cluster_id })));
      expect(again.filter(({ status }) => status === 200)).toHaveLength(30);
    });

    it('a pool gives no machine twice to clusters that start together', async () => {
      const { instance_pool_id } = await good(
        ask('POST', '/instance-pools/create', { instance_pool_name: 'p', node_type_id: NODE, max_capacity: 7 }),
      );
      const spec = { instance_pool_id, node_type_id: undefined, num_workers: 1 };
      const ids = await Promise.all(Array.from({ length: 6 }, () => createCluster(ask, spec)));
      await bench.jar.clock.advance('3m');
      const states = await Promise.all(ids.map(async (id) => (await getCluster(ask, id)).state));
      expect(states.filter((state) => state === 'RUNNING')).toHaveLength(3);
      expect(
        (await good(ask('GET', `/instance-pools/get?instance_pool_id=${instance_pool_id}`))).stats.used_count,
      ).toBe(6);
    });

    it('a warehouse that is started, stopped, edited and deleted concurrently is eventually deleted', async () => {
      const { id } = await good(ask('POST', '/sql/warehouses', { name: 'w' }));
      const path = `/sql/warehouses/${id}`;
      const answers = await Promise.all([
        ...['start', 'stop', 'start', 'stop'].map((verb) => ask('POST', `${path}/${verb}`)),
        ask('POST', `${path}/edit`, { cluster_size: 'Large' }),
        ask('DELETE', path),
        ask('DELETE', path),
      ]);
      expect(answers.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
      expect(
        answers
          .slice(-2)
          .map(({ status }) => status)
          .sort(),
      ).toEqual([200, 404]);
      await bench.jar.clock.advance('10m');
      expect((await ask('GET', path)).status).toBe(404);
      expect((await good(ask('GET', '/sql/warehouses'))).warehouses).toEqual([]);
    });

    it('a task on a permanently deleted cluster fails immediately', async () => {
      const existing_cluster_id = await runningCluster(bench, ask);
      const job_id = await createJob(ask, { tasks: [task('a', 'sleep 36000', { existing_cluster_id })] });
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('1m');
      expect((await getRun(ask, run_id)).state.life_cycle_state).toBe('RUNNING');
      await post('permanent-delete', { cluster_id: existing_cluster_id });
      await bench.jar.clock.advance('1s');
      expect((await getRun(ask, run_id)).state).toMatchObject({
        life_cycle_state: expect.stringMatching(/TERMINATED|INTERNAL_ERROR/),
        result_state: 'FAILED',
      });
    });
  },
  REAL_TIMES,
);
