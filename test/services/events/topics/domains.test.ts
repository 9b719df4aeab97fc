import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { Grid } from './grid.ts';

onBothStores('domains', (bench) => {
  const grid = new Grid(bench, 'domains');

  it('have all that topics have, and two switches of their own', async () => {
    const properties = { autoCreateTopicWithFirstSubscription: false, inputSchema: 'CloudEventSchemaV1_0' };
    const made = await grid.create('domains/switched', properties, { identity: { type: 'SystemAssigned' } });
    expect(made).toMatchObject({
      type: 'Vendor.EventGrid/domains',
      identity: { type: 'SystemAssigned' },
      properties: { ...properties, autoDeleteTopicWithLastSubscription: true, provisioningState: 'Succeeded' },
    });
    const patched = await grid.patch('domains/switched', {
      properties: { autoDeleteTopicWithLastSubscription: false },
    });
    expect(patched.body.properties).toMatchObject({ ...properties, autoDeleteTopicWithLastSubscription: false });
    const topic = await grid.create('topics/no-switches', properties);
    expect(Object.keys(topic.properties).filter((name) => name.startsWith('auto'))).toEqual([]);
  });

  it('refuse what is not valid', async () => {
    expect(await grid.put('domains/ab')).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequest' } } });
    const properties = { autoCreateTopicWithFirstSubscription: 'yes' };
    expect((await grid.put('domains/refused', { location: 'westeurope', properties })).status).toBe(400);
    expect((await grid.get('domains/refused')).status).toBe(404);
  });

  it('hold topics, which are made, found and deleted without regard to case', async () => {
    await grid.create('domains/Host');
    const made = await grid.call('PUT', 'domains/host/topics/Inner');
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/\/Vendor\.EventGrid\/domains\/Host\/topics\/Inner$/),
        name: 'Inner',
        type: 'Vendor.EventGrid/domains/topics',
        systemData: null,
        properties: { provisioningState: 'Creating' },
      },
    });
    expect(made.headers.get('azure-asyncoperation')).toContain('/operationsStatus/');
    const { body: one } = await grid.get('domains/host/topics/inner');
    expect(one).toMatchObject({ id: made.body.id, systemData: {}, properties: { provisioningState: 'Succeeded' } });
    const again = { ...made.body, properties: { provisioningState: 'Updating' } };
    expect((await grid.call('PUT', 'domains/HOST/topics/INNER')).body).toEqual(again);
    expect((await grid.call('PUT', 'domains/HOST/topics/INNER', { body: {} })).body).toEqual(again);
    expect((await grid.get('domains/host/topics')).body).toEqual({ value: [one] });
    expect((await grid.delete('domains/host/topics/inner')).status).toBe(202);
    expect((await grid.delete('domains/host/topics/inner')).status).toBe(204);
    expect((await grid.get('domains/host/topics/inner')).body.error.code).toBe('ResourceNotFound');
  });

  it('page through their topics, filtered by name', async () => {
    await grid.create('domains/many');
    await grid.create('domains/many-2');
    const names = Array.from({ length: 25 }, (_, index) => `topic-${String(index).padStart(2, '0')}`);
    await Promise.all(names.map((name) => grid.call('PUT', `domains/many/topics/${name}`)));
    await grid.call('PUT', 'domains/many-2/topics/topic-of-another');
    const seen: string[] = [];
    let page = await grid.get('domains/many/topics?$top=10');
    for (let pages = 1; ; pages++) {
      seen.push(...page.body.value.map(({ name }: { name: string }) => name));
      if (page.body.nextLink === undefined) {
        expect(pages).toBe(3);
        break;
      }
      page = await bench.call('GET', page.body.nextLink);
    }
    expect(seen).toEqual(names);
    const filtered = await grid.get(`domains/many/topics?$filter=${encodeURIComponent("contains(name,'c-1')")}`);
    expect(filtered.body.value).toHaveLength(10);
    expect((await grid.get('domains/many/topics?$top=none')).status).toBe(400);
  });

  it.each([
    ['PUT', 'domains/absent/topics/inner', 404],
    ['GET', 'domains/absent/topics/inner', 404],
    ['GET', 'domains/absent/topics', 404],
    ['DELETE', 'domains/absent/topics/inner', 204],
    ['PUT', 'domains/host/topics/a_b', 400],
    ['PUT', 'domains/host/topics/ab', 400],
    ['PUT', `domains/host/topics/${'a'.repeat(51)}`, 400],
    ['POST', 'domains/absent/listKeys', 404],
    ['GET', 'domains/absent', 404],
    ['DELETE', 'domains/absent', 204],
  ])('answer %s %s by %d', async (method, path, status) => {
    expect((await grid.call(method, path)).status).toBe(status);
  });

  it('hide their topics from other tenants', async () => {
    await grid.create('domains/closed');
    await grid.call('PUT', 'domains/closed/topics/inner');
    const token = await bench.jar.token({ user: 'other' });
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await grid.call(method, 'domains/closed/topics/inner', { token })).status).toBe(401);
    expect((await grid.get('domains/closed/topics/inner')).status).toBe(200);
  });

  it('are deleted with their topics', async () => {
    await grid.create('domains/leaving');
    await Promise.all(['one', 'two', 'six'].map((name) => grid.call('PUT', `domains/leaving/topics/${name}`)));
    expect((await grid.delete('domains/leaving')).status).toBe(202);
    await grid.create('domains/leaving');
    expect((await grid.get('domains/leaving/topics')).body).toEqual({ value: [] });
  });
});
