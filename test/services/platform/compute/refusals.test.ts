import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { good, person, refusal } from '../support.ts';
import { createCluster, getCluster, NODE, PLAIN, runningCluster, SPARK } from './support.ts';

const IPV = 'INVALID_PARAMETER_VALUE';
const BROKEN = 'MALFORMED_REQUEST';

onAnyStore('data platform: errors of clusters', (bench) => {
  beforeEach(() => bench.jar.reset());

  it.each([
    [{ spark_version: undefined }, IPV, 'Missing required field: spark_version'],
    [{ spark_version: '1.0' }, IPV, 'Invalid spark version 1.0.'],
    [{ spark_version: 16 }, BROKEN, "the field 'spark_version' must be a string"],
    [{ num_workers: -1 }, IPV, 'must not be negative'],
    [{ num_workers: 'two' }, BROKEN, "the field 'num_workers' must be an integer"],
    [{ num_workers: undefined }, IPV, 'Missing required field: size'],
    [{ autoscale: { min_workers: 1, max_workers: 2 } }, IPV, 'Only one of'],
    [{ num_workers: undefined, autoscale: { min_workers: 3, max_workers: 2 } }, IPV, 'must not exceed'],
    [{ num_workers: undefined, autoscale: { min_workers: 3 } }, IPV, 'autoscale.max_workers'],
    [{ node_type_id: undefined }, IPV, 'Missing required field: node_type_id'],
    [{ node_type_id: 'Abacus' }, IPV, 'Node type Abacus is not supported.'],
    [{ driver_node_type_id: 'Abacus' }, IPV, 'Node type Abacus is not supported.'],
    [{ autotermination_minutes: 9 }, IPV, 'autotermination_minutes'],
    [{ autotermination_minutes: 10_001 }, IPV, 'autotermination_minutes'],
    [{ custom_tags: Object.fromEntries(Array.from({ length: 46 }, (_, n) => [`t${n}`, 'x'])) }, IPV, '45 tags'],
    [{ ssh_public_keys: Array(11).fill('k') }, IPV, 'ssh_public_keys'],
    [{ spark_conf: { 'spark.x': 1 } }, BROKEN, 'spark_conf.spark.x'],
    [{ cluster_name: 'n'.repeat(1001) }, IPV, 'cluster_name'],
    [{ docker_image: { url: 3 } }, BROKEN, 'url'],
    [{ data_security_mode: 'OPEN' }, IPV, 'data_security_mode'],
    [{ instance_pool_id: 'pool-none', node_type_id: undefined }, IPV, 'instance pool'],
    [{ clone_from: { source_cluster_id: 'none' } }, IPV, 'Cluster none does not exist'],
  ])('%j is refused and changes nothing', async (spec, code, message) => {
    const ask = await person(bench);
    const reply = await ask('POST', '/api/2.1/clusters/create', { ...PLAIN, ...spec });
    expect(refusal(reply)).toEqual({ status: 400, code, message: expect.stringContaining(message) });
    expect((await good(ask('GET', '/clusters/list'))).clusters).toEqual([]);
  });

  it('attributes of more than 256 KB are refused', async () => {
    const ask = await person(bench);
    const spark_conf = { big: 'x'.repeat(256 * 1024) };
    expect(refusal(await ask('POST', '/clusters/create', { ...PLAIN, spark_conf }))).toMatchObject({ code: IPV });
  });

  it('without a page size version 2.0 lists everything, and 2.1 twenty clusters', async () => {
    const ask = await person(bench);
    await Promise.all(Array.from({ length: 23 }, () => createCluster(ask)));
    expect((await good(ask('GET', '/api/2.0/clusters/list'))).clusters).toHaveLength(23);
    const page = await good(ask('GET', '/api/2.1/clusters/list'));
    expect(page.clusters).toHaveLength(20);
    expect(page.next_page_token).toBeDefined();
  });

  it('an unknown policy is not found', async () => {
    const ask = await person(bench);
    expect(refusal(await ask('POST', '/clusters/create', { ...PLAIN, policy_id: 'NONE' }))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
  });

  it('unknown fields are ignored, and missing fields have their defaults', async () => {
    const ask = await person(bench);
    const id = await createCluster(ask, { colour: 'red', data_security_mode: 'SINGLE_USER', num_workers: 0 });
    const cluster = await getCluster(ask, id);
    expect(cluster).toMatchObject({
      autotermination_minutes: 0,
      enable_elastic_disk: false,
      driver_node_type_id: NODE,
      single_user_name: cluster.creator_user_name,
      num_workers: 0,
      spec: { ...PLAIN, num_workers: 0 },
    });
    expect(cluster).not.toHaveProperty('colour');
  });

  it('the state determines the allowed operations', async () => {
    const ask = await person(bench);
    const id = await createCluster(ask);
    const state = (verb: string, body: object = {}) => ask('POST', `/clusters/${verb}`, { cluster_id: id, ...body });
    const unexpected = (now: string) => ({
      status: 400,
      code: 'INVALID_STATE',
      message: `Cluster ${id} is in unexpected state ${now}.`,
    });
    for (const [verb, body] of [
      ['start', {}],
      ['restart', {}],
      ['resize', { num_workers: 3 }],
      ['edit', PLAIN],
      ['update', { update_mask: 'num_workers', cluster: { num_workers: 3 } }],
    ] as const)
      expect(refusal(await state(verb, body)), verb).toEqual(unexpected('PENDING'));
    await bench.jar.clock.advance('4m');
    expect(refusal(await state('start'))).toEqual(unexpected('RUNNING'));
    expect(refusal(await state('change-owner', { owner_username: 'x@y' }))).toMatchObject({ code: 'INVALID_STATE' });
    await good(state('delete'));
    await good(state('delete'));
    expect(refusal(await state('restart'))).toEqual(unexpected('TERMINATING'));
    expect(refusal(await state('edit', PLAIN))).toEqual(unexpected('TERMINATING'));
    await bench.jar.clock.advance('1m');
    await good(state('delete'));
    expect(refusal(await state('resize', { num_workers: 3 }))).toEqual(unexpected('TERMINATED'));
    await good(state('edit', { ...PLAIN, num_workers: 7 }));
    expect(await getCluster(ask, id)).toMatchObject({ state: 'TERMINATED', num_workers: 7 });
    expect(refusal(await state('change-owner', { owner_username: 'nobody@nowhere' }))).toMatchObject({ code: IPV });
  });

  it('a cluster that is deleted while it starts never runs', async () => {
    const ask = await person(bench);
    const id = await createCluster(ask);
    await bench.jar.clock.advance('3m');
    await good(ask('POST', '/clusters/delete', { cluster_id: id }));
    await bench.jar.clock.advance('30m');
    const { state, termination_reason } = await getCluster(ask, id);
    expect({ state, code: termination_reason.code }).toEqual({ state: 'TERMINATED', code: 'USER_REQUEST' });
  });

  it('an edit of a running cluster restarts it; an update changes what its mask names', async () => {
    const ask = await person(bench);
    const id = await runningCluster(bench, ask, { spark_conf: { a: '1', b: '2' }, custom_tags: { team: 'x' } });
    await good(
      ask('POST', '/clusters/update', {
        cluster_id: id,
        update_mask: 'autoscale,spark_conf.a,custom_tags',
        cluster: { autoscale: { min_workers: 3, max_workers: 5 }, spark_conf: { a: '9', b: '9' }, num_workers: 99 },
      }),
    );
    const changed = await getCluster(ask, id);
    expect(changed).toMatchObject({
      state: 'RESTARTING',
      autoscale: { min_workers: 3, max_workers: 5 },
      spark_conf: { a: '9', b: '2' },
      cluster_name: 'plain',
    });
    expect(changed).not.toHaveProperty('custom_tags');
    await bench.jar.clock.advance('2m');
    expect(await getCluster(ask, id)).toMatchObject({ state: 'RUNNING', num_workers: 3 });
    expect(
      refusal(await ask('POST', '/clusters/update', { cluster_id: id, update_mask: 'colour', cluster: {} })),
    ).toMatchObject({ code: IPV });
    await good(
      ask('POST', '/clusters/edit', { cluster_id: id, spark_version: SPARK, node_type_id: NODE, num_workers: 1 }),
    );
    expect(await getCluster(ask, id)).toMatchObject({ state: 'RESTARTING', cluster_name: '', num_workers: 1 });
  });

  it('a pinned cluster cannot be deleted permanently, and 100 clusters can be pinned', async () => {
    const ask = await person(bench);
    const ids = await Promise.all(Array.from({ length: 103 }, () => createCluster(ask)));
    const replies = await Promise.all(ids.map((cluster_id) => ask('POST', '/clusters/pin', { cluster_id })));
    const pinned = ids.filter((_, n) => replies[n]?.status === 200);
    expect(pinned).toHaveLength(100);
    expect(replies.filter(({ body }) => body.error_code === 'QUOTA_EXCEEDED')).toHaveLength(3);
    await good(ask('POST', '/clusters/pin', { cluster_id: pinned[0] }));
    expect(refusal(await ask('POST', '/clusters/permanent-delete', { cluster_id: pinned[0] }))).toMatchObject({
      code: 'INVALID_STATE',
    });
    await good(ask('POST', '/clusters/unpin', { cluster_id: pinned[0] }));
    await good(ask('POST', '/clusters/permanent-delete', { cluster_id: pinned[0] }));
    const other = ids.find((id) => !pinned.includes(id));
    await good(ask('POST', '/clusters/pin', { cluster_id: other }));
    const page = await good(ask('GET', '/clusters/list?filter_by.is_pinned=true&page_size=60'));
    expect(page.clusters).toHaveLength(60);
    const next = await good(
      ask('GET', `/clusters/list?filter_by.is_pinned=true&page_size=60&page_token=${page.next_page_token}`),
    );
    expect(next.clusters).toHaveLength(40);
    expect(next.next_page_token).toBeUndefined();
  });

  it('lists are filtered by state, source and policy, and sorted by name', async () => {
    const ask = await person(bench);
    const b = await runningCluster(bench, ask, { cluster_name: 'b' });
    await createCluster(ask, { cluster_name: 'a' });
    await createCluster(ask, { cluster_name: 'c' });
    const names = async (query: string) =>
      (await good(ask('GET', `/clusters/list?${query}`))).clusters
        .map(({ cluster_name }: { cluster_name: string }) => cluster_name)
        .join('');
    expect(await names('')).toBe('bac');
    expect(await names('sort_by.field=CLUSTER_NAME')).toBe('abc');
    expect(await names('sort_by.field=CLUSTER_NAME&sort_by.direction=DESC')).toBe('cba');
    expect(await names('filter_by.cluster_states=RUNNING')).toBe('b');
    expect(await names('filter_by.cluster_states=RUNNING&filter_by.cluster_states=PENDING')).toBe('bac');
    expect(await names('filter_by.cluster_sources=JOB')).toBe('');
    await good(ask('POST', '/clusters/pin', { cluster_id: b }));
    expect(await names('filter_by.is_pinned=false')).toBe('ac');
    expect(refusal(await ask('GET', '/clusters/list?filter_by.cluster_states=ASLEEP'))).toMatchObject({ code: IPV });
    expect(refusal(await ask('GET', '/clusters/list?page_token=abc'))).toMatchObject({ code: IPV });
    const page = await good(ask('GET', '/clusters/list?page_size=1'));
    expect(
      refusal(await ask('GET', `/clusters/list?page_token=${page.next_page_token}&sort_by.field=CLUSTER_NAME`)),
    ).toMatchObject({ code: IPV });
  });

  it('events are filtered by time and type, and paged by tokens and by offsets', async () => {
    const ask = await person(bench);
    const id = await runningCluster(bench, ask);
    const events = (body: object) => ask('POST', '/clusters/events', { cluster_id: id, ...body });
    const all = await good(events({}));
    expect(all).toMatchObject({
      total_count: 3,
      events: [{ type: 'DRIVER_HEALTHY' }, { type: 'RUNNING' }, { type: 'CREATING' }],
    });
    const first = await good(events({ page_size: 2, order: 'ASC' }));
    expect(first.events).toHaveLength(2);
    const second = await good(events({ page_size: 2, order: 'ASC', page_token: first.next_page_token }));
    expect(second.events).toMatchObject([{ type: 'DRIVER_HEALTHY' }]);
    expect(second.next_page_token).toBeUndefined();
    expect(refusal(await events({ page_size: 2, order: 'DESC', page_token: first.next_page_token }))).toMatchObject({
      code: IPV,
    });
    const [created] = (await good(events({ event_types: ['CREATING'] }))).events;
    expect((await good(events({ start_time: created.timestamp + 1 }))).total_count).toBe(2);
    expect((await good(events({ end_time: created.timestamp }))).total_count).toBe(1);
    expect((await good(events({ page_size: 9999 }))).events).toHaveLength(3);
    expect((await good(events({ page_size: -1 }))).events).toHaveLength(3);
    expect(refusal(await events({ offset: 1 }))).toMatchObject({ code: IPV });
    const old = await good(events({ limit: 2 }));
    expect((await good(ask('POST', '/clusters/events', old.next_page))).events).toMatchObject([{ type: 'CREATING' }]);
  });

  it('permissions control who sees a cluster, and a cluster of another tenant does not exist', async () => {
    const ask = await person(bench);
    const id = await createCluster(ask);
    const user = await person(bench, 'licensed');
    expect(refusal(await user('GET', `/clusters/get?cluster_id=${id}`))).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
    });
    expect((await good(user('GET', '/clusters/list'))).clusters).toEqual([]);
    expect(refusal(await user('POST', '/clusters/create', PLAIN))).toMatchObject({
      status: 403,
      message: expect.stringContaining('not authorized to create clusters'),
    });
    expect(refusal(await user('POST', '/clusters/pin', { cluster_id: id }))).toMatchObject({ status: 403 });
    const other = await person(bench, 'other');
    for (const verb of ['start', 'restart', 'delete', 'permanent-delete', 'events'])
      expect(refusal(await other('POST', `/clusters/${verb}`, { cluster_id: id })), verb).toMatchObject({
        status: 400,
        message: `Cluster ${id} does not exist`,
      });
  });

  it('runtimes, node types and zones are listed', async () => {
    const ask = await person(bench);
    const { versions } = await good(ask('GET', '/clusters/spark-versions'));
    expect(versions).toContainEqual({ key: SPARK, name: expect.stringContaining('16.4 LTS') });
    const { node_types } = await good(ask('GET', '/clusters/list-node-types'));
    expect(node_types[0]).toMatchObject({ node_type_id: NODE, num_cores: 4, is_deprecated: false });
    expect(await good(ask('GET', '/clusters/list-zones'))).toMatchObject({ default_zone: '1' });
  });
});
