import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { good, person, refusal } from '../support.ts';

const PATH = '/sql/warehouses';

onAnyStore('data platform: what SQL warehouses refuse', (bench) => {
  beforeEach(() => bench.jar.reset());

  it.each([
    [{ cluster_size: 'Huge' }, 'INVALID_PARAMETER_VALUE', 'cluster_size'],
    [{ cluster_size: 3 }, 'MALFORMED_REQUEST', 'cluster_size'],
    [{ name: '' }, 'INVALID_PARAMETER_VALUE', 'name'],
    [{ name: 'n'.repeat(100) }, 'INVALID_PARAMETER_VALUE', 'name'],
    [{ min_num_clusters: 0 }, 'INVALID_PARAMETER_VALUE', 'min_num_clusters'],
    [{ min_num_clusters: 31 }, 'INVALID_PARAMETER_VALUE', 'min_num_clusters'],
    [{ max_num_clusters: 41 }, 'INVALID_PARAMETER_VALUE', 'max_num_clusters'],
    [{ min_num_clusters: 3, max_num_clusters: 2 }, 'INVALID_PARAMETER_VALUE', 'min_num_clusters'],
    [{ auto_stop_mins: 9 }, 'INVALID_PARAMETER_VALUE', 'auto_stop_mins'],
    [{ auto_stop_mins: -1 }, 'INVALID_PARAMETER_VALUE', 'auto_stop_mins'],
    [{ enable_serverless_compute: true }, 'INVALID_PARAMETER_VALUE', 'PRO'],
    [{ channel: { name: 'NEXT' } }, 'INVALID_PARAMETER_VALUE', 'name'],
    [{ tags: { custom_tags: [{ key: 'a' }] } }, 'INVALID_PARAMETER_VALUE', 'value'],
    [{ tags: { custom_tags: Array(46).fill({ key: 'a', value: 'b' }) } }, 'INVALID_PARAMETER_VALUE', 'custom_tags'],
  ])('%j is refused as %s and changes nothing', async (spec, code, word) => {
    const ask = await person(bench);
    const reply = await ask('POST', PATH, spec);
    expect(refusal(reply)).toMatchObject({ status: 400, code });
    expect(reply.body.message).toContain(word);
    expect((await good(ask('GET', PATH))).warehouses).toEqual([]);
  });

  it('two warehouses cannot have one name, in any case of its letters', async () => {
    const ask = await person(bench);
    const { id } = await good(ask('POST', PATH, { name: 'Reports' }));
    expect(refusal(await ask('POST', PATH, { name: 'reports' }))).toMatchObject({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
    });
    await good(ask('POST', `${PATH}/${id}/edit`, { name: 'REPORTS' }));
    const other = await good(ask('POST', PATH, { name: 'other' }));
    expect(refusal(await ask('POST', `${PATH}/${other.id}/edit`, { name: 'reports' }))).toMatchObject({
      code: 'RESOURCE_ALREADY_EXISTS',
    });
  });

  it('a warehouse of another tenant is not found, and a user without the entitlement creates none', async () => {
    const ask = await person(bench);
    const { id } = await good(ask('POST', PATH, { name: 'mine' }));
    const other = await person(bench, 'other');
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/start'],
      ['POST', '/stop'],
      ['POST', '/edit'],
      ['DELETE', ''],
    ] as const)
      expect(
        refusal(await other(method, `${PATH}/${id}${path}`, method === 'POST' ? {} : undefined)),
        path,
      ).toMatchObject({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
      });
    const user = await person(bench, 'licensed');
    expect(refusal(await user('POST', PATH, { name: 'no' }))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    expect(refusal(await user('GET', `${PATH}/${id}`))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    expect((await good(user('GET', PATH))).warehouses).toEqual([]);
    expect(await good(user('GET', '/preview/sql/data_sources'))).toEqual([]);
    expect(refusal(await user('PUT', '/sql/config/warehouses', {}))).toMatchObject({ status: 403 });
  });
});
