import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import { type MachineStep, machineMs } from '../../../../src/services/platform/compute/timing.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import { createCluster, getCluster } from './support.ts';

onAnyStore('data platform: how long machines take', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
  });

  it('a cluster starts in two seconds unless the setting says otherwise, and a task waits for it', async () => {
    const cluster = await createCluster(ask);
    const tasks = [
      {
        task_key: 'a',
        new_cluster: { num_workers: 1 },
        spark_jar_task: { main_class_name: 'A', cloudjar: 'sleep 5' },
      },
    ];
    const { run_id } = await good(ask('POST', '/api/2.2/jobs/runs/submit', { tasks }));
    const run = () => good(ask('GET', `/api/2.2/jobs/runs/get?run_id=${run_id}`));
    await bench.jar.clock.advance(1999);
    expect(await getCluster(ask, cluster)).toMatchObject({ state: 'PENDING' });
    expect((await run()).tasks).toMatchObject([{ state: { life_cycle_state: 'PENDING' } }]);
    await bench.jar.clock.advance(1);
    expect(await getCluster(ask, cluster)).toMatchObject({ state: 'RUNNING' });
    await bench.jar.clock.advance('5s');
    expect((await run()).tasks).toMatchObject([{ setup_duration: 2000, execution_duration: 5000 }]);
  });

  it('a warehouse starts in one second, and is seen while it does', async () => {
    const { id } = await good(ask('POST', '/sql/warehouses', { name: 'quick' }));
    const state = async () => (await good(ask('GET', `/sql/warehouses/${id}`))).state;
    await bench.jar.clock.advance(999);
    expect(await state()).toBe('STARTING');
    await bench.jar.clock.advance(1);
    expect(await state()).toBe('RUNNING');
  });
});

describe('the setting clusterStartSeconds', () => {
  const jarWith = (platform?: { readonly clusterStartSeconds: number }) => ({
    config: loadConfig({ flags: {}, env: {}, cwd: '/', ...(platform && { services: { platform } }) }),
  });

  it.each<[MachineStep, number, number]>([
    ['start', 2000, 240_000],
    ['startFromPool', 500, 60_000],
    ['restart', 1000, 120_000],
    ['resize', 1000, 120_000],
    ['terminate', 500, 60_000],
    ['libraryResolve', 42, 5000],
    ['libraryDownload', 84, 10_000],
    ['libraryInstall', 250, 30_000],
    ['warehouseStart', 1000, 120_000],
    ['warehouseStartServerless', 42, 5000],
    ['warehouseStop', 250, 30_000],
    ['workspaceProvision', 2000, 240_000],
  ])('%s takes %d ms by default, %d ms with 240 and none with 0', (step, usual, real) => {
    expect(machineMs(jarWith(), step)).toBe(usual);
    expect(machineMs(jarWith({ clusterStartSeconds: 240 }), step)).toBe(real);
    expect(machineMs(jarWith({ clusterStartSeconds: 0 }), step)).toBe(0);
  });
});
