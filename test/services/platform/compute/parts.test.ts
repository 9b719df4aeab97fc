import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES, refusal } from '../support.ts';
import { createCluster, eventTypes, getCluster, NODE, runningCluster } from './support.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

onAnyStore(
  'data platform: pools, libraries and init scripts',
  (bench) => {
    beforeEach(() => bench.jar.reset());

    it('clusters take machines from a pool until it is empty, and start faster', async () => {
      const ask = await person(bench);
      const { instance_pool_id } = await good(
        ask('POST', '/instance-pools/create', {
          instance_pool_name: 'warm',
          node_type_id: NODE,
          min_idle_instances: 2,
          max_capacity: 5,
        }),
      );
      const spec = { instance_pool_id, node_type_id: undefined, num_workers: 2 };
      const first = await createCluster(ask, spec);
      await bench.jar.clock.advance('1m');
      expect(await getCluster(ask, first)).toMatchObject({
        state: 'RUNNING',
        node_type_id: NODE,
        driver_instance_pool_id: instance_pool_id,
      });
      expect(await good(ask('GET', `/instance-pools/get?instance_pool_id=${instance_pool_id}`))).toMatchObject({
        state: 'ACTIVE',
        stats: { used_count: 3, idle_count: 0, pending_used_count: 0, pending_idle_count: 2 },
      });
      const second = await createCluster(ask, spec);
      await bench.jar.clock.advance('2m');
      expect(await getCluster(ask, second)).toMatchObject({
        state: 'TERMINATED',
        termination_reason: { code: 'INSTANCE_POOL_MAX_CAPACITY_REACHED', type: 'CLIENT_ERROR' },
      });
      await good(
        ask('POST', '/instance-pools/edit', {
          instance_pool_id,
          instance_pool_name: 'warmer',
          node_type_id: NODE,
          max_capacity: 6,
        }),
      );
      expect(
        refusal(
          await ask('POST', '/instance-pools/edit', {
            instance_pool_id,
            instance_pool_name: 'warmer',
            node_type_id: 'Standard_F4s',
          }),
        ),
      ).toMatchObject({ code: 'INVALID_PARAMETER_VALUE' });
      await good(ask('POST', '/clusters/start', { cluster_id: second }));
      await bench.jar.clock.advance('1m');
      expect((await getCluster(ask, second)).state).toBe('RUNNING');
      await good(ask('POST', '/instance-pools/delete', { instance_pool_id }));
      expect((await good(ask('GET', '/instance-pools/list'))).instance_pools).toEqual([]);
      await good(ask('POST', '/clusters/restart', { cluster_id: first }));
      await bench.jar.clock.advance('3m');
      expect((await getCluster(ask, first)).termination_reason.code).toBe('INSTANCE_POOL_NOT_FOUND');
    });

    it('libraries are installed by the clock, and removed by a restart', async () => {
      const ask = await person(bench);
      const cluster_id = await createCluster(ask);
      const wheel = { whl: 'dbfs:/wheels/a.whl' };
      const pandas = { pypi: { package: 'pandas==2.2.0' } };
      const wrong = { jar: 'nowhere.jar' };
      const statuses = async () =>
        (await good(ask('GET', `/libraries/cluster-status?cluster_id=${cluster_id}`))).library_statuses.map(
          ({ status }: { status: string }) => status,
        );
      await good(ask('POST', '/libraries/install', { cluster_id, libraries: [wheel, pandas, wrong] }));
      expect(await statuses()).toEqual(['PENDING', 'PENDING', 'PENDING']);
      await bench.jar.clock.advance('4m');
      expect(await statuses()).toEqual(['PENDING', 'PENDING', 'PENDING']);
      await bench.jar.clock.advance('5s');
      expect(await statuses()).toEqual(['RESOLVING', 'RESOLVING', 'RESOLVING']);
      await bench.jar.clock.advance('10s');
      expect(await statuses()).toEqual(['INSTALLING', 'INSTALLING', 'FAILED']);
      await bench.jar.clock.advance('30s');
      expect(await statuses()).toEqual(['INSTALLED', 'INSTALLED', 'FAILED']);
      await good(ask('POST', '/libraries/uninstall', { cluster_id, libraries: [pandas, wrong] }));
      expect(await statuses()).toEqual(['INSTALLED', 'UNINSTALL_ON_RESTART', 'UNINSTALL_ON_RESTART']);
      const clone = await createCluster(ask, { clone_from: { source_cluster_id: cluster_id } });
      expect((await good(ask('GET', '/libraries/all-cluster-statuses'))).statuses).toHaveLength(2);
      expect((await good(ask('GET', `/libraries/cluster-status?cluster_id=${clone}`))).library_statuses).toMatchObject([
        { library: wheel, status: 'PENDING' },
      ]);
      await good(ask('POST', '/clusters/restart', { cluster_id }));
      expect(await statuses()).toEqual(['PENDING']);
      await bench.jar.clock.advance('3m');
      expect(await statuses()).toEqual(['INSTALLED']);
    });

    it('a library has exactly one kind', async () => {
      const ask = await person(bench);
      const cluster_id = await createCluster(ask);
      for (const [body, message] of [
        [{ libraries: [{}] }, 'exactly one'],
        [{ libraries: [{ jar: 'dbfs:/a', whl: 'dbfs:/b' }] }, 'exactly one'],
        [{ libraries: [{ pypi: {} }] }, 'package'],
        [{}, 'libraries'],
      ] as const)
        expect(refusal(await ask('POST', '/libraries/install', { cluster_id, ...body }))).toMatchObject({
          status: 400,
          message: expect.stringContaining(message),
        });
    });

    const PATH = '/global-init-scripts';
    const script = async (ask: Ask, name: string, rest: object = {}): Promise<string> =>
      (await good(ask('POST', PATH, { name, script: base64('echo hi'), ...rest }))).script_id;

    it('global init scripts have an order without gaps', async () => {
      const ask = await person(bench);
      const order = async () =>
        (await good(ask('GET', PATH))).scripts
          .map(({ name, position }: { name: string; position: number }) => `${name}${position}`)
          .join(' ');
      const a = await script(ask, 'a');
      await script(ask, 'b');
      await script(ask, 'c', { position: 0 });
      expect(await order()).toBe('c0 a1 b2');
      await good(ask('PATCH', `${PATH}/${a}`, { position: 9 }));
      expect(await order()).toBe('c0 b1 a2');
      const { script: content, enabled } = await good(ask('GET', `${PATH}/${a}`));
      expect({ content, enabled }).toEqual({ content: base64('echo hi'), enabled: false });
      const [{ script_id }] = (await good(ask('GET', PATH))).scripts;
      await good(ask('DELETE', `${PATH}/${script_id}`));
      expect(await order()).toBe('b0 a1');
      expect(refusal(await ask('POST', PATH, { name: 'x', script: '!' }))).toMatchObject({ status: 400 });
      expect(refusal(await ask('POST', PATH, { name: 'x', script: base64('x'.repeat(65_537)) }))).toMatchObject({
        status: 400,
        message: expect.stringContaining('65536 bytes'),
      });
      const user = await person(bench, 'licensed');
      expect(refusal(await user('GET', PATH))).toMatchObject({ status: 403 });
    });

    it('a global init script that fails keeps clusters from starting', async () => {
      const ask = await person(bench);
      await script(ask, 'good', { enabled: true });
      const fine = await runningCluster(bench, ask);
      expect(await eventTypes(ask, fine)).toEqual([
        'CREATING',
        'INIT_SCRIPTS_STARTED',
        'INIT_SCRIPTS_FINISHED',
        'RUNNING',
        'DRIVER_HEALTHY',
      ]);
      await script(ask, 'bad', { enabled: true, script: base64('echo no; exit 3') });
      const broken = await createCluster(ask);
      await bench.jar.clock.advance('5m');
      expect(await getCluster(ask, broken)).toMatchObject({
        state: 'TERMINATED',
        state_message: 'Global init script bad failed: Script exit status is 3.',
        termination_reason: { code: 'GLOBAL_INIT_SCRIPT_FAILURE', type: 'CLIENT_ERROR' },
      });
    });
  },
  REAL_TIMES,
);
