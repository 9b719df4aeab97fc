import { expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../../../support/jars.ts';
import { Grid, VERSION } from './grid.ts';

withJar((bench) => {
  const grid = new Grid(bench, 'kinds');
  const provider = '/providers/Vendor.EventGrid';
  const get = (path: string) => bench.call('GET', `${path}?${VERSION}`);

  it('every topic type can be read by the name that the list gives, in any case and with any prefix', async () => {
    const { body } = await get(`${provider}/topicTypes`);
    expect(body.value).toHaveLength(35);
    for (const type of body.value) {
      expect((await get(`/${type.id}`)).body).toEqual(type);
      expect((await get(`${provider}/topicTypes/${type.name.toUpperCase()}`)).body).toEqual(type);
      const alias = await get(`/${type.id.replaceAll('Vendor', 'Microsoft')}`);
      expect(alias.body).toEqual(JSON.parse(JSON.stringify(type).replaceAll('Vendor', 'Microsoft')));
      const events = await get(`/${type.id}/eventTypes`);
      expect(events.status).toBe(200);
      for (const event of events.body.value) expect(event.id).toBe(`${type.id}/eventTypes/${event.name}`);
    }
    expect((await get(`${provider}/topicTypes/Vendor.Nothing`)).body.error.code).toBe('TopicTypeNotFound');
  });

  it('topic types are in the order of the real service and name their sources in its words', async () => {
    const { body } = await get(`${provider}/topicTypes`);
    const names = body.value.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 3)).toEqual([
      'Vendor.Eventhub.Namespaces',
      'Vendor.Storage.StorageAccounts',
      'Vendor.Resources.Subscriptions',
    ]);
    const formats = new Map(
      body.value.map(({ name, properties }: { name: string; properties: { sourceResourceFormat?: string } }) => [
        name,
        properties.sourceResourceFormat?.split('/').at(-1),
      ]),
    );
    expect(formats.get('Vendor.KeyVault.vaults')).toBe('<name>');
    expect(formats.get('Vendor.Devices.IoTHubs')).toBe('<hubName>');
    expect(formats.get('Vendor.Cache.Redis')).toBe('<redisName>');
    expect(formats.get('Vendor.EventGrid.Topics')).toBeUndefined();
  });

  it('what happens to resources has an event type for each kind and outcome', async () => {
    const { body } = await get(`${provider}/topicTypes/Vendor.Resources.ResourceGroups/eventTypes`);
    const kinds = ['Write', 'Delete', 'Action'];
    const outcomes = ['Success', 'Failure', 'Cancel'];
    expect(body.value.map(({ name }: { name: string }) => name)).toEqual(
      kinds.flatMap((kind) => outcomes.map((outcome) => `Vendor.Resources.Resource${kind}${outcome}`)),
    );
    expect(body.value[0].properties).toEqual({
      displayName: 'Resource Write Success',
      description: 'Raised for: resource write success.',
      schemaUrl: '',
      isInDefaultSet: true,
    });
  });

  it('event types are listed for any scope that exists', async () => {
    await grid.create('topics/kinds-topic');
    await grid.create('domains/kinds-domain');
    await grid.call('PUT', 'domains/kinds-domain/topics/inner');
    const subscription = `/subscriptions/${SUBSCRIPTION}`;
    const own = `${subscription}/resourceGroups/kinds/providers/Vendor.EventGrid`;
    const count = async (scope: string) => (await get(`${scope}${provider}/eventTypes`)).body.value?.length;
    expect(await count(subscription)).toBe(9);
    expect(await count(`${subscription}/resourceGroups/kinds`)).toBe(9);
    expect(await count(`${own}/topics/KINDS-topic`)).toBe(0);
    expect(await count(`${own}/domains/kinds-domain`)).toBe(0);
    expect(await count(`${own}/domains/kinds-domain/topics/inner`)).toBe(0);
    for (const absent of [
      `${subscription}/resourceGroups/nowhere`,
      `${own}/topics/nowhere`,
      `${own}/domains/kinds-domain/topics/nowhere`,
      '/subscriptions/99999999-0000-4000-8000-000000000000',
    ])
      expect((await get(`${absent}${provider}/eventTypes`)).status).toBe(404);
    const token = await bench.jar.token({ user: 'other' });
    const path = `${own}/topics/kinds-topic${provider}/eventTypes?${VERSION}`;
    expect((await bench.call('GET', path, { token })).status).toBe(401);
  });

  it('the operations of the provider are listed, each once', async () => {
    const { body } = await get(`${provider}/operations`);
    const names = body.value.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('Vendor.EventGrid/eventSubscriptions/write');
    expect(names).toContain('Vendor.EventGrid/domains/topics/delete');
  });
});
