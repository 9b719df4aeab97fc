import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { administrator, makeApp, type Person } from '../support.ts';

const KEY = Buffer.from('a key of an account').toString('base64');
const CONNECTION = `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${KEY};EndpointSuffix=storage.example`;
const BLOBS = { type: 'blob_storage_connection_string', connection_string: CONNECTION };

withJar((bench) => {
  let owner: Person;
  let path: string;
  let number = 0;
  const newApp = async () => {
    number += 1;
    const { name } = await makeApp(owner, `app-${number}`);
    return `/apps/admin/${name}/export_configurations`;
  };
  beforeAll(async () => {
    owner = await administrator(bench);
    path = await newApp();
  });

  describe('a configuration that cannot be one is refused, and nothing is made:', () => {
    it.each([
      ['no type', {}, 'type'],
      ['an unknown type', { type: 'ftp' }, 'type'],
      ['no connection string', { type: BLOBS.type }, 'connection_string'],
      ['no key', { type: 'application_insights_instrumentation_key' }, 'instrumentation_key'],
      ['no subscription', { type: 'blob_storage_linked_subscription' }, 'subscription_id'],
      ['an unknown entity', { ...BLOBS, export_entities: ['sessions'] }, 'export_entities'],
      ['an unknown path', { ...BLOBS, blob_path_format_kind: 'ByDay' }, 'blob_path_format_kind'],
      ['a text for a switch', { ...BLOBS, backfill: 'yes' }, 'backfill'],
      ['a number for a name', { ...BLOBS, resource_name: 7 }, 'resource_name'],
      ['a name without end', { ...BLOBS, resource_group: 'x'.repeat(300) }, 'resource_group'],
      ['an empty connection string', { ...BLOBS, connection_string: '' }, 'connection_string'],
      ['a connection string without end', { ...BLOBS, connection_string: 'A=b;'.repeat(2000) }, 'connection_string'],
    ])('%s', async (_, body, field) => {
      const { status, body: answer } = await owner.call('POST', path, body);
      expect(status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'BadRequest', message: expect.stringContaining(field) });
      expect((await owner.call('GET', path)).body).toEqual({ values: [], total: 0 });
    });

    it.each([
      ['no parts', 'secret-without-a-name'],
      ['semicolons only', ';;'],
      ['no account', `AccountKey=${KEY};EndpointSuffix=storage.example`],
      ['no key', 'AccountName=shop;EndpointSuffix=storage.example'],
      ['no endpoint', `AccountName=shop;AccountKey=${KEY}`],
      ['a key that is not base64', 'AccountName=shop;AccountKey=%%%;EndpointSuffix=storage.example'],
      ['an account that is a path', `AccountName=a/b;AccountKey=${KEY};EndpointSuffix=storage.example`],
      ['a suffix that is more', `AccountName=shop;AccountKey=${KEY};EndpointSuffix=x/@storage.example`],
      ['an endpoint of another protocol', `BlobEndpoint=file:///etc;AccountName=shop;AccountKey=${KEY}`],
      ['an endpoint with a query', 'BlobEndpoint=https://shop.example/?a=b;SharedAccessSignature=sig'],
    ])('a connection string with %s, of which nothing is repeated', async (_, text) => {
      const { status, text: answer } = await owner.call('POST', path, { ...BLOBS, connection_string: text });
      expect(status).toBe(400);
      expect(answer).toContain('connection_string');
      expect(answer).not.toContain(KEY);
      expect(answer).not.toContain('secret-without-a-name');
    });
  });

  describe('what a jar has no destination for is taken and said to be invalid:', () => {
    it.each([
      ['application_insights_instrumentation_key', { instrumentation_key: 'the-key-of-an-app' }, 'AppInsights'],
      ['application_insights_linked_subscription', { subscription_id: 'sub-1' }, 'AppInsights'],
      ['blob_storage_linked_subscription', { subscription_id: 'sub-1' }, 'BlobStorage'],
    ])('%s', async (type, given, exportType) => {
      const own = await newApp();
      const made = await owner.call('POST', own, { type, ...given, resource_group: 'group', resource_name: 'name' });
      expect([made.status, made.body.state, made.body.export_type]).toEqual([202, 'Pending', exportType]);
      await bench.jar.settled();
      const { body, text } = await owner.call('GET', `${own}/${made.body.id}`);
      expect(body).toMatchObject({
        state: 'Invalid',
        state_info: expect.stringMatching(/^This jar /),
        resource_group: 'group',
        resource_name: 'name',
        export_configuration: { type },
      });
      expect(text).not.toContain('the-key-of-an-app');
      expect((await owner.call('POST', `${own}/${made.body.id}/enable`, {})).status).toBe(200);
      await bench.jar.settled();
      expect((await owner.call('GET', `${own}/${made.body.id}`)).body.state).toBe('Invalid');
    });
  });

  describe('nothing is sent if the jar must not send anything:', () => {
    it.each([
      ['a metadata service', 'http://169.254.169.254/account'],
      ['plain http', 'http://127.0.0.1:10000/devstoreaccount1'],
    ])('%s', async (_, endpoint) => {
      const own = await newApp();
      const text = `BlobEndpoint=${endpoint};AccountName=shop;AccountKey=${KEY}`;
      const made = await owner.call('POST', own, { ...BLOBS, connection_string: text });
      await bench.jar.settled();
      const { body } = await owner.call('GET', `${own}/${made.body.id}`);
      expect(body).toMatchObject({ state: 'Invalid', state_info: expect.stringContaining('could not be reached') });
    });
  });

  test('a configuration is changed in part; its type and other properties stay', async () => {
    const own = await newApp();
    const { body: made } = await owner.call('POST', own, { ...BLOBS, export_entities: ['crashes', 'crashes'] });
    expect(made.export_entities).toEqual(['crashes']);
    await owner.call('POST', `${own}/${made.id}/disable`, {});
    const other = await owner.call('PATCH', `${own}/${made.id}`, { type: 'blob_storage_linked_subscription' });
    expect([other.status, other.body.error.code]).toEqual([400, 'BadRequest']);
    const changed = await owner.call('PATCH', `${own}/${made.id}`, {
      type: BLOBS.type,
      blob_path_format_kind: 'WithAppId',
      connection_string: CONNECTION.replace('shop', 'store'),
      surprise: true,
    });
    expect(changed.body).toMatchObject({ state: 'Disabled', export_entities: ['crashes'], resource_name: 'store' });
    expect(changed.body.export_configuration.blob_path_format_kind).toBe('WithAppId');
  });

  test('a configuration that is missing or belongs to another app is not found', async () => {
    const own = await newApp();
    const { body: made } = await owner.call('POST', own, { ...BLOBS, backfill: false });
    for (const address of [`${own}/${randomUUID()}`, `${path}/${made.id}`]) {
      expect((await owner.call('GET', address)).body).toMatchObject({ error: { code: 'NotFound' } });
      expect((await owner.call('PATCH', address, {})).status).toBe(404);
      expect((await owner.call('DELETE', address)).status).toBe(404);
      for (const action of ['enable', 'disable']) {
        expect((await owner.call('POST', `${address}/${action}`, {})).status).toBe(404);
      }
    }
    expect((await owner.call('POST', `${own}/${made.id}/enable`)).status, 'a POST needs a body').toBe(411);
  });

  test('an app has twenty export configurations at most, however many ask at once, and takes them with it', async () => {
    const own = await newApp();
    const asked = await Promise.all(Array.from({ length: 25 }, () => owner.call('POST', own, BLOBS)));
    expect(asked.filter(({ status }) => status === 202)).toHaveLength(20);
    expect(asked.filter(({ status }) => status === 400)).toHaveLength(5);
    const { values, total } = (await owner.call('GET', own)).body;
    expect([values.length, total]).toEqual([20, 20]);
    expect((await owner.call('DELETE', own.replace('/export_configurations', ''))).status).toBe(204);
    await bench.jar.settled();
    expect((await owner.call('GET', own)).status).toBe(404);
  });
});
