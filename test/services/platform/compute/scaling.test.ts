import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';
import { createCluster, getCluster, NODE, runningCluster } from './support.ts';

const OLD = '/api/1.2';

onAnyStore('data platform: the size of clusters', (bench) => {
  beforeEach(() => bench.jar.reset());

  const eventsOf = async (ask: Ask, cluster_id: string, more: object = {}) =>
    (await good(ask('POST', '/clusters/events', { cluster_id, order: 'ASC', ...more }))).events as {
      type: string;
      details: Record<string, unknown>;
    }[];
  const scaling = { num_workers: undefined, autoscale: { min_workers: 1, max_workers: 3 } };

  it('an autoscaling cluster grows with its load, and shrinks after ten minutes without it', async () => {
    const ask = await person(bench);
    const clusterId = await runningCluster(bench, ask, { ...scaling, autotermination_minutes: 60 });
    const run = async (command: string): Promise<void> => {
      const { id: contextId } = await good(ask('POST', `${OLD}/contexts/create`, { clusterId, language: 'python' }));
      await good(ask('POST', `${OLD}/commands/execute`, { clusterId, contextId, language: 'python', command }));
    };
    await run('%sh sleep 600');
    await bench.jar.clock.advance('1s');
    expect(await getCluster(ask, clusterId)).toMatchObject({ state: 'RUNNING', num_workers: 1 });
    for (let n = 0; n < 4; n++) await run('%sh sleep 600');
    await bench.jar.clock.advance('1s');
    expect((await getCluster(ask, clusterId)).state).toBe('RESIZING');
    await bench.jar.clock.advance('4m');
    expect(await getCluster(ask, clusterId)).toMatchObject({
      state: 'RUNNING',
      num_workers: 3,
      autoscale: scaling.autoscale,
    });
    await bench.jar.clock.advance('6m');
    expect(await getCluster(ask, clusterId)).toMatchObject({ state: 'RUNNING', num_workers: 3 });
    await bench.jar.clock.advance('9m');
    expect((await getCluster(ask, clusterId)).state).toBe('RUNNING');
    await bench.jar.clock.advance('3m');
    expect(await getCluster(ask, clusterId)).toMatchObject({ state: 'RUNNING', num_workers: 1 });
    const sizes = (await eventsOf(ask, clusterId)).filter(({ type }) => /RESIZ|UPSIZE/.test(type));
    expect(sizes[0]).toMatchObject({
      type: 'RESIZING',
      details: { cause: 'AUTOSCALE', current_num_workers: 1, current_num_vcpus: 8 },
    });
    expect(sizes.at(-1)).toMatchObject({
      type: 'RESIZING',
      details: { cause: 'AUTOSCALE', current_num_workers: 3, target_num_workers: 1 },
    });
    // The commands ended ten minutes after their start; an automatic resize is not activity.
    await bench.jar.clock.advance('48m');
    expect((await getCluster(ask, clusterId)).state).toMatch(/^TERMINAT/);
  });

  it('a larger size completes with an event, a smaller one without; only a running cluster can be resized', async () => {
    const ask = await person(bench);
    const cluster_id = await runningCluster(bench, ask);
    const resize = (size: object) => ask('POST', '/clusters/resize', { cluster_id, ...size });
    await good(resize({ num_workers: 4 }));
    expect(refusal(await resize({ num_workers: 5 }))).toEqual({
      status: 400,
      code: 'INVALID_STATE',
      message: `Cluster ${cluster_id} is in unexpected state RESIZING.`,
    });
    await bench.jar.clock.advance('2m');
    await good(resize({ num_workers: 1 }));
    await bench.jar.clock.advance('2m');
    expect((await getCluster(ask, cluster_id)).executors).toHaveLength(1);
    const types = (await eventsOf(ask, cluster_id)).map(({ type }) => type).slice(3);
    expect(types).toEqual(['RESIZING', 'UPSIZE_COMPLETED', 'RESIZING']);
  });

  it('events newest first are in exactly the reverse order, including simultaneous ones', async () => {
    const ask = await person(bench);
    const cluster_id = await runningCluster(bench, ask);
    const ascending = await eventsOf(ask, cluster_id);
    const descending = await eventsOf(ask, cluster_id, { order: 'DESC' });
    expect(descending).toEqual([...ascending].reverse());
    const paged = [];
    let token: string | undefined;
    do {
      const page = await good(
        ask('POST', '/clusters/events', { cluster_id, page_size: 1, ...(token && { page_token: token }) }),
      );
      paged.push(...page.events);
      token = page.next_page_token;
    } while (token);
    expect(paged).toEqual(descending);
  });

  it('an exhausted pool adds no workers; returned machines stay idle in it for the configured time', async () => {
    const ask = await person(bench);
    const { instance_pool_id } = await good(
      ask('POST', '/instance-pools/create', {
        instance_pool_name: 'small',
        node_type_id: NODE,
        max_capacity: 4,
        idle_instance_autotermination_minutes: 15,
      }),
    );
    const stats = async () =>
      (await good(ask('GET', `/instance-pools/get?instance_pool_id=${instance_pool_id}`))).stats;
    const cluster_id = await createCluster(ask, { instance_pool_id, node_type_id: undefined, num_workers: 2 });
    await bench.jar.clock.advance('1m');
    await good(ask('POST', '/clusters/resize', { cluster_id, num_workers: 4 }));
    await bench.jar.clock.advance('2m');
    expect(await getCluster(ask, cluster_id)).toMatchObject({ state: 'RUNNING', num_workers: 2 });
    expect((await eventsOf(ask, cluster_id)).at(-1)).toMatchObject({
      type: 'ADD_NODES_FAILED',
      details: { current_num_workers: 2, target_num_workers: 4 },
    });
    await good(ask('POST', '/clusters/delete', { cluster_id }));
    expect(await stats()).toMatchObject({ used_count: 3, idle_count: 0 });
    await bench.jar.clock.advance('1m');
    expect(await stats()).toMatchObject({ used_count: 0, idle_count: 3 });
    const next = await createCluster(ask, { instance_pool_id, node_type_id: undefined, num_workers: 1 });
    await bench.jar.clock.advance('1m');
    expect(await stats()).toMatchObject({ used_count: 2, idle_count: 1 });
    await bench.jar.clock.advance('14m');
    expect(await stats()).toMatchObject({ used_count: 2, idle_count: 0 });
    expect((await getCluster(ask, next)).state).toBe('RUNNING');
  });

  it('a cluster whose policy was deleted keeps running and starts again, but cannot be edited', async () => {
    const ask = await person(bench);
    const { policy_id } = await good(
      ask('POST', '/policies/clusters/create', { name: 'p', definition: '{}', max_clusters_per_user: 1 }),
    );
    const cluster_id = await runningCluster(bench, ask, { policy_id });
    await good(ask('POST', '/policies/clusters/delete', { policy_id }));
    await good(ask('POST', '/clusters/restart', { cluster_id }));
    await bench.jar.clock.advance('2m');
    await good(ask('POST', '/clusters/delete', { cluster_id }));
    await bench.jar.clock.advance('1m');
    await good(ask('POST', '/clusters/start', { cluster_id }));
    await bench.jar.clock.advance('4m');
    const { state, spark_version, node_type_id } = await getCluster(ask, cluster_id);
    expect(state).toBe('RUNNING');
    const edit = await ask('POST', '/clusters/edit', {
      cluster_id,
      spark_version,
      node_type_id,
      num_workers: 1,
      policy_id,
    });
    expect(refusal(edit)).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
  });
});
