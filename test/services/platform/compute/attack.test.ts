import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { good, person, refusal } from '../support.ts';
import { createCluster, getCluster, PLAIN } from './support.ts';

onAnyStore('data platform: unexpected names and values in compute', (bench) => {
  beforeEach(() => bench.jar.reset());

  it.each(['a\u0000b', '\ud800', '💥'.repeat(200), '../../etc', "'; DROP TABLE x; --", '%00', '__proto__'])(
    'a cluster may be called %j, is found by it, and comes back as it was',
    async (cluster_name) => {
      const ask = await person(bench);
      const ids = [await createCluster(ask, { cluster_name }), await createCluster(ask, { cluster_name })];
      const sent: string = JSON.parse(JSON.stringify(cluster_name));
      expect((await getCluster(ask, ids[0] as string)).cluster_name).toBe(sent);
      const first = await good(ask('GET', '/clusters/list?sort_by.field=CLUSTER_NAME&page_size=1'));
      const path = '/clusters/list?sort_by.field=CLUSTER_NAME&page_size=1';
      const second = await good(ask('GET', `${path}&page_token=${first.next_page_token}`));
      const back = await good(ask('GET', `${path}&page_token=${second.prev_page_token}`));
      expect(back.clusters).toEqual(first.clusters);
      expect(second.clusters[0].cluster_id).not.toBe(first.clusters[0].cluster_id);
      const { id } = await good(ask('POST', '/sql/warehouses', { name: cluster_name.slice(0, 50) }));
      expect((await ask('GET', `/sql/warehouses/${id}`)).status).toBe(200);
      expect(refusal(await ask('POST', '/sql/warehouses', { name: cluster_name.slice(0, 50) }))).toMatchObject({
        code: 'RESOURCE_ALREADY_EXISTS',
      });
    },
  );

  it('names of built-in object members are plain names', async () => {
    const ask = await person(bench);
    const body = `{"cluster_name":"x","spark_version":"${PLAIN.spark_version}","node_type_id":"${PLAIN.node_type_id}","num_workers":1,"custom_tags":{"__proto__":"a","constructor":"b","toString":"c"}}`;
    const reply = await ask('POST', '/clusters/create', body, { 'content-type': 'application/json' });
    expect([200, 400]).toContain(reply.status);
    for (const path of ['constructor', '__proto__', 'toString'])
      expect(
        refusal(
          await ask('POST', '/policies/clusters/create', {
            name: 'p',
            definition: `{"${path}":{"type":"fixed","value":1}}`,
          }),
        ),
        path,
      ).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
  });

  it.each([
    ['POST', '/clusters/events', { cluster_id: 'x'.repeat(100_000) }],
    ['POST', '/clusters/start', { cluster_id: '\u0000' }],
    ['POST', '/clusters/start', { cluster_id: 'a/b/../c' }],
    ['POST', '/clusters/start', []],
    ['POST', '/clusters/start', 'null'],
    ['GET', '/clusters/get?cluster_id=%00', undefined],
    ['GET', '/clusters/get?cluster_id=a&cluster_id=b', undefined],
    ['GET', '/instance-pools/get?instance_pool_id=%00', undefined],
    ['GET', '/policies/clusters/get?policy_id=%F0%9F', undefined],
    ['GET', '/sql/warehouses/%00', undefined],
    ['GET', `/sql/warehouses/${'a'.repeat(5000)}`, undefined],
    ['GET', '/policy-families?page_token=1e9', undefined],
    ['GET', '/clusters/list?page_size=1e3', undefined],
    ['GET', '/clusters/list?page_size=-1', undefined],
    ['GET', '/clusters/list?page_token=AAAA', undefined],
    ['POST', '/libraries/install', { cluster_id: 'x', libraries: Array(501).fill({ jar: 'a' }) }],
  ])('%s %s is refused and no fault of the jar', async (method, path, body) => {
    const ask = await person(bench);
    const { status } = await ask(method, path, body, body === undefined ? {} : { 'content-type': 'application/json' });
    expect([400, 404]).toContain(status);
  });
});
