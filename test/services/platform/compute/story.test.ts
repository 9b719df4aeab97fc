import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { good, person, refusal } from '../support.ts';
import { eventTypes, NODE, runningCluster, SPARK } from './support.ts';

onBothStores('data platform: the life of a cluster', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('the published client creates a cluster, waits for it, runs a command, and finds it terminated as idle', async () => {
    const { jar } = bench;
    const client = new WorkspaceClient({ host: jar.url, token: await jar.token({ user: 'admin', ttl: '365d' }) });
    const waiter = await client.clusters.create({
      cluster_name: 'nightly',
      spark_version: SPARK,
      node_type_id: NODE,
      autoscale: { min_workers: 2, max_workers: 8 },
      autotermination_minutes: 30,
      custom_tags: { team: 'data' },
    });
    const id = waiter.cluster_id as string;
    expect(id).toMatch(/^\d{4}-\d{6}-[a-z0-9]{8}$/);
    expect(await client.clusters.get({ cluster_id: id })).toMatchObject({
      state: 'PENDING',
      creator_user_name: expect.any(String),
      default_tags: { Vendor: 'Databricks', ClusterName: 'nightly', ClusterId: id },
      enable_elastic_disk: false,
      num_workers: 2,
    });
    await jar.clock.advance('4m');
    const running = await waiter.wait();
    expect(running).toMatchObject({ state: 'RUNNING', cluster_cores: 12, jdbc_port: 10000 });
    expect(running.executors).toHaveLength(2);

    const context = await (await client.commandExecution.create({ clusterId: id, language: 'python' })).wait();
    const executing = await client.commandExecution.execute({
      clusterId: id,
      contextId: context.id as string,
      language: 'python',
      command: 'print("hello", 42)',
    });
    expect(await executing.wait()).toMatchObject({
      status: 'Finished',
      results: { resultType: 'text', data: 'hello 42' },
    });

    await jar.clock.advance('29m');
    expect((await client.clusters.get({ cluster_id: id })).state).toBe('RUNNING');
    await jar.clock.advance('1m');
    expect((await client.clusters.get({ cluster_id: id })).state).toBe('TERMINATING');
    await jar.clock.advance('1m');
    expect(await client.clusters.get({ cluster_id: id })).toMatchObject({
      state: 'TERMINATED',
      state_message: 'Inactive cluster terminated (inactive for 30 minutes).',
      termination_reason: { code: 'INACTIVITY', type: 'SUCCESS', parameters: { inactivity_duration_min: '30' } },
    });

    const again = await client.clusters.start({ cluster_id: id });
    await jar.clock.advance('4m');
    await again.wait();
    await client.clusters.restart({ cluster_id: id });
    expect((await client.clusters.get({ cluster_id: id })).state).toBe('RESTARTING');
    await jar.clock.advance('2m');
    await client.clusters.resize({ cluster_id: id, num_workers: 5 });
    expect(await client.clusters.get({ cluster_id: id })).toMatchObject({ state: 'RESIZING', num_workers: 5 });
    await jar.clock.advance('2m');
    const types: string[] = [];
    for await (const { type } of client.clusters.events({ cluster_id: id, order: 'ASC', limit: 3 }))
      types.push(type as string);
    expect(types).toEqual([
      'CREATING',
      'RUNNING',
      'DRIVER_HEALTHY',
      'TERMINATING',
      'STARTING',
      'RUNNING',
      'DRIVER_HEALTHY',
      'RESTARTING',
      'RUNNING',
      'DRIVER_HEALTHY',
      'RESIZING',
      'UPSIZE_COMPLETED',
    ]);
    const listed: string[] = [];
    for await (const each of client.clusters.list({})) listed.push(each.cluster_id as string);
    expect(listed).toEqual([id]);
    await client.clusters.permanentDelete({ cluster_id: id });
    await expect(client.clusters.get({ cluster_id: id })).rejects.toThrow(`Cluster ${id} does not exist`);
  });

  it('a terminated cluster leaves lists after 30 days and is gone after 60, unless it is pinned', async () => {
    const ask = await person(bench);
    const kept = await runningCluster(bench, ask, { cluster_name: 'kept' });
    const lost = await runningCluster(bench, ask, { cluster_name: 'lost' });
    await good(ask('POST', '/clusters/pin', { cluster_id: kept }));
    for (const cluster_id of [kept, lost]) await good(ask('POST', '/clusters/delete', { cluster_id }));
    await bench.jar.clock.advance('1m');
    const listed = async () =>
      (await good(ask('GET', '/clusters/list'))).clusters.map(
        ({ cluster_name }: { cluster_name: string }) => cluster_name,
      );
    expect(await listed()).toEqual(['kept', 'lost']);
    await bench.jar.clock.advance('30d');
    expect(await listed()).toEqual(['kept']);
    await good(ask('GET', `/clusters/get?cluster_id=${lost}`));
    await bench.jar.clock.advance('30d');
    expect(refusal(await ask('GET', `/clusters/get?cluster_id=${lost}`))).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: `Cluster ${lost} does not exist`,
    });
    expect(await eventTypes(ask, kept)).toContain('PINNED');
    await good(ask('POST', '/clusters/unpin', { cluster_id: kept }));
    await bench.jar.clock.advance('1s');
    expect(refusal(await ask('GET', `/clusters/get?cluster_id=${kept}`))).toMatchObject({ status: 400 });
  });
});
