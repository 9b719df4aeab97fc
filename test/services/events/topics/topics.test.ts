import { describe, expect, it } from 'vitest';
import { readChanges } from '../../../support/changes.ts';
import { OTHER_SUBSCRIPTION, onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';
import { Grid, providerOf } from './grid.ts';

const IDENTITY = `/subscriptions/${SUBSCRIPTION}/resourceGroups/ids/providers/Vendor.ManagedIdentity/userAssignedIdentities`;

onBothStores('topics', (bench) => {
  const one = new Grid(bench, 'topics-1');
  const two = new Grid(bench, 'topics-2');
  const stranger = new Grid(bench, 'topics-other', OTHER_SUBSCRIPTION, () => bench.jar.token({ user: 'other' }));

  describe('a write', () => {
    it('is answered as running, and its operation shows its end', async () => {
      const made = await one.put('topics/first');
      expect(made.status).toBe(201);
      expect(made.body.properties.provisioningState).toBe('Creating');
      const address = made.headers.get('azure-asyncoperation') ?? '';
      expect(address).toMatch(
        new RegExp(
          `^${bench.jar.url}/subscriptions/${SUBSCRIPTION}/providers/Vendor.EventGrid/locations/westeurope/operationsStatus/[0-9A-F-]{36}\\?api-version=2025-02-15$`,
        ),
      );
      await bench.jar.settled();
      const whispered = address.replace(/operationsStatus\/[^?]+/, (text) => text.toLowerCase());
      for (const at of [address, whispered, address.replace('2025-02-15', '2018-05-05')])
        expect((await bench.call('GET', at)).body).toMatchObject({ status: 'Succeeded', name: expect.any(String) });
      expect((await one.get('topics/first')).body.properties.provisioningState).toBe('Succeeded');
    });

    it('is answered by 201 the second time, too', async () => {
      const before = (await one.get('topics/first')).body;
      const again = await one.put('topics/first', { location: 'westeurope', tags: { a: 'b' } });
      expect(again.status).toBe(201);
      expect(again.body.properties.provisioningState).toBe('Updating');
      await bench.jar.settled();
      const after = (await one.get('topics/first')).body;
      expect(after.properties).toEqual(before.properties);
      expect(after.tags).toEqual({ a: 'b' });
    });

    it('replaces members that are not sent by defaults, except schema, identity and keys', async () => {
      const properties = {
        inputSchema: 'CustomEventSchema',
        inputSchemaMapping: { inputSchemaMappingType: 'Json', properties: { id: { sourceField: 'n' } } },
        inboundIpRules: [{ ipMask: '10.1.2.3' }],
        publicNetworkAccess: 'Disabled',
        disableLocalAuth: true,
        minimumTlsVersionAllowed: '1.2',
        dataResidencyBoundary: 'WithinRegion',
      };
      const before = await one.create('topics/replaced', properties, { identity: { type: 'SystemAssigned' } });
      expect(before.properties).toMatchObject({
        ...properties,
        inboundIpRules: [{ ipMask: '10.1.2.3', action: 'Allow' }],
      });
      const keys = await one.keys('topics/replaced');
      const after = await one.create('topics/replaced', {});
      expect(after.properties).toEqual({
        provisioningState: 'Succeeded',
        endpoint: before.properties.endpoint,
        inputSchema: 'CustomEventSchema',
        inputSchemaMapping: properties.inputSchemaMapping,
        publicNetworkAccess: 'Enabled',
        disableLocalAuth: false,
        minimumTlsVersionAllowed: '1.0',
        dataResidencyBoundary: 'WithinGeopair',
        metricResourceId: before.properties.metricResourceId,
      });
      expect(after.identity).toEqual(before.identity);
      expect(await one.keys('topics/replaced')).toEqual(keys);
    });

    it('accepts what was read', async () => {
      const { body } = await one.get('topics/replaced');
      const again = await one.put('topics/replaced', body);
      expect(again.status).toBe(201);
      await bench.jar.settled();
      const { systemData, ...rest } = (await one.get('topics/replaced')).body;
      const { systemData: _before, ...expected } = body;
      expect(rest).toEqual(expected);
      expect(systemData.createdAt).toBe(body.systemData.createdAt);
    });

    it('accepts and shows members without effect, in versions that have them', async () => {
      const rest = {
        sku: { name: 'Basic' },
        kind: 'Azure',
        extendedLocation: { name: 'edge', type: 'CustomLocation' },
      };
      const preview = 'topics/tolerant?api-version=2025-04-01-preview';
      expect(await one.create(preview, { anything: { at: ['all'] } }, rest)).toMatchObject(rest);
      expect((await one.get('topics/tolerant')).body).not.toHaveProperty('sku');
    });

    it('ignores the case of enumeration values and treats null as absent', async () => {
      const given = { inputSchema: 'cloudeventschemav1_0', publicNetworkAccess: 'disabled', inboundIpRules: null };
      const made = await one.create('topics/words', given, { identity: null, tags: null });
      expect(made.properties).toMatchObject({
        inputSchema: 'CloudEventSchemaV1_0',
        publicNetworkAccess: 'Disabled',
      });
      expect(made.identity).toBeUndefined();
    });

    it('leaves one change record, at its end', async () => {
      await one.put('topics/recorded');
      await bench.jar.settled();
      const ours = (subject: string): boolean => subject.endsWith('/topics/recorded');
      const found = await readChanges(bench.jar, (changes) => changes.some(({ subject }) => ours(subject)));
      expect(found.filter(({ subject }) => ours(subject))).toMatchObject([
        {
          source: 'management',
          kind: 'write',
          outcome: 'Succeeded',
          data: { operationName: 'Vendor.EventGrid/topics/write' },
        },
      ]);
    });
  });

  describe('a PATCH', () => {
    it('changes what is given and leaves the rest', async () => {
      const before = await one.create('topics/patched', { disableLocalAuth: true }, { tags: { a: '1' } });
      const properties = { publicNetworkAccess: 'Disabled', minimumTlsVersionAllowed: '1.1' };
      const patched = await one.patch('topics/patched', { properties });
      expect(patched.status).toBe(201);
      expect(patched.headers.get('azure-asyncoperation')).toContain('/operationsStatus/');
      expect(patched.body.properties.provisioningState).toBe('Updating');
      await bench.jar.settled();
      const { body } = await one.get('topics/patched');
      expect(body.properties).toEqual({ ...before.properties, ...properties });
      expect(body.tags).toEqual({ a: '1' });
      await one.patch('topics/patched', { tags: { b: '2' } });
      expect((await one.get('topics/patched')).body.tags).toEqual({ b: '2' });
    });

    it('of a missing topic is refused', async () => {
      expect(await one.patch('topics/nowhere', { tags: {} })).toMatchObject({
        status: 404,
        body: { error: { code: 'ResourceNotFound' } },
      });
    });

    it('adds and removes identities', async () => {
      await one.create('topics/identities', {}, { identity: { type: 'SystemAssigned' } });
      const shown = async (identity: unknown) => {
        const { status } = await one.patch('topics/identities', { identity });
        expect(status).toBe(201);
        return (await one.get('topics/identities')).body.identity;
      };
      const both = await shown({
        type: 'systemassigned,userassigned',
        userAssignedIdentities: { [`${IDENTITY}/a`]: {}, [`${IDENTITY}/b`]: {} },
      });
      expect(both).toMatchObject({ type: 'SystemAssigned, UserAssigned', tenantId: expect.any(String) });
      expect(Object.keys(both.userAssignedIdentities)).toEqual([`${IDENTITY}/a`, `${IDENTITY}/b`]);
      const fewer = await shown({ userAssignedIdentities: { [`${IDENTITY}/A`]: null } });
      expect(fewer.principalId).toBe(both.principalId);
      expect(fewer.userAssignedIdentities).toEqual({
        [`${IDENTITY}/b`]: both.userAssignedIdentities[`${IDENTITY}/b`],
      });
      expect(await shown({ type: 'None' })).toEqual({
        type: 'None',
        principalId: null,
        tenantId: null,
        userAssignedIdentities: null,
      });
    });
  });

  describe('the endpoint', () => {
    it('is an HTTPS address at the host that the caller uses, whatever port they come by', async () => {
      const { port } = new URL(bench.jar.httpsUrl);
      await one.create('topics/Address');
      const path = `${providerOf('topics-1')}/topics/address?api-version=2025-02-15`;
      const at = async (base: string) => (await bench.call('GET', base + path)).body.properties.endpoint;
      const rest = '/events/westeurope/address/api/events';
      expect(await at(bench.jar.url)).toBe(`https://${new URL(bench.jar.url).hostname}:${port}${rest}`);
      expect(await at(bench.jar.httpsUrl)).toBe(bench.jar.httpsUrl + rest);
      expect(await at(bench.jar.httpsUrl.replace('localhost', '127.0.0.1'))).toBe(`https://127.0.0.1:${port}${rest}`);
    });

    it('has a name that is unique in its region across tenants, and free again when its topic is deleted', async () => {
      await one.create('topics/unique');
      const taken = { status: 409, body: { error: { code: 'NameAlreadyTaken', target: 'name' } } };
      expect(await two.put('topics/UNIQUE')).toMatchObject(taken);
      expect(await two.put('domains/unique')).toMatchObject(taken);
      const foreign = await stranger.put('topics/unique');
      expect(foreign).toMatchObject(taken);
      expect(foreign.text).not.toContain('topics-1');
      expect((await two.put('topics/unique', { location: 'eastus' })).status).toBe(201);
      expect((await one.delete('topics/unique')).status).toBe(202);
      expect((await stranger.put('topics/unique')).status).toBe(201);
    });

    it('is given to one of several concurrent requests', async () => {
      await Promise.all([one, two].map((grid) => grid.get('topics/x')));
      for (let round = 0; round < 5; round++) {
        const name = `race-${round}`;
        const asked = [one, two, stranger].flatMap((grid) => [grid.put(`topics/${name}`), grid.put(`domains/${name}`)]);
        const statuses = (await Promise.all(asked)).map(({ status }) => status);
        expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
      }
    });
  });

  describe('access keys', () => {
    it('belong to one topic, and are deleted with it', async () => {
      await one.create('topics/keyed');
      await two.create('topics/keyed-2');
      const keys = await one.keys('topics/keyed');
      const others = await two.keys('topics/keyed-2');
      expect(new Set([...Object.values(keys), ...Object.values(others)]).size).toBe(4);
      await one.delete('topics/keyed');
      expect((await one.call('POST', 'topics/keyed/listKeys')).status).toBe(404);
      await one.create('topics/keyed');
      expect(Object.values(await one.keys('topics/keyed'))).not.toContain(keys.key1);
    });

    it.each([{}, { keyName: 'key3' }, { keyName: '' }, { keyName: 1 }, { keyName: null }])(
      'are not replaced by %j',
      async (body) => {
        await one.put('topics/key-names');
        const before = await one.keys('topics/key-names');
        expect((await one.call('POST', 'topics/key-names/regenerateKey', { body })).status).toBe(400);
        expect(await one.keys('topics/key-names')).toEqual(before);
      },
    );

    it('are replaced by several at once without losing one', async () => {
      await one.put('topics/busy-keys');
      const before = await one.keys('topics/busy-keys');
      const replace = (keyName: string) => one.call('POST', 'topics/busy-keys/regenerateKey', { body: { keyName } });
      const replies = await Promise.all(['key1', 'key2', 'KEY1', 'key2'].map(replace));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const after = await one.keys('topics/busy-keys');
      expect(after.key1).not.toBe(before.key1);
      expect(after.key2).not.toBe(before.key2);
      expect(replies.map(({ body }) => body.key1)).toContain(after.key1);
    });

    it('are not shown to readers, or by any other answer', async () => {
      const made = await one.create('topics/hidden-keys');
      const { key1, key2 } = await one.keys('topics/hidden-keys');
      const list = await one.get('topics');
      for (const key of [key1, key2]) expect(JSON.stringify([made, list.body])).not.toContain(key);
      const token = await bench.jar.token({ user: 'no-job-queue' });
      expect((await one.call('GET', 'topics/hidden-keys', { token })).status).toBe(200);
      expect((await one.call('POST', 'topics/hidden-keys/listKeys', { token })).status).toBe(403);
    });
  });

  it('are not seen, changed or asked for keys by another tenant', async () => {
    await one.create('topics/private');
    const token = await bench.jar.token({ user: 'other' });
    for (const [method, path] of [
      ['GET', 'topics/private'],
      ['PUT', 'topics/private'],
      ['PATCH', 'topics/private'],
      ['DELETE', 'topics/private'],
      ['GET', 'topics'],
      ['POST', 'topics/private/listKeys'],
      ['POST', 'topics/private/regenerateKey'],
    ] as const)
      expect((await one.call(method, path, { token, body: method === 'GET' ? undefined : {} })).status).toBe(401);
    const made = await one.put('topics/private');
    const address = made.headers.get('azure-asyncoperation') ?? '';
    const foreign = address.replace(SUBSCRIPTION, OTHER_SUBSCRIPTION);
    expect((await bench.call('GET', foreign, { token })).status).toBe(404);
    expect((await bench.call('GET', address, { token })).status).toBe(401);
  });

  it('are deleted with their group, which frees their names, keys and quota', async () => {
    const doomed = new Grid(bench, 'topics-doomed');
    await doomed.create('topics/short-lived');
    await doomed.create('domains/short-lived-too');
    await doomed.put('domains/short-lived-too/topics/inner');
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/topics-doomed?api-version=2021-04-01`;
    expect((await bench.call('DELETE', group)).status).toBe(202);
    await bench.jar.settled();
    expect((await bench.call('GET', group)).status).toBe(404);
    await one.create('domains/short-lived-too');
    expect((await one.get('domains/short-lived-too/topics')).body.value).toEqual([]);
    await one.create('topics/short-lived');
    const again = new Grid(bench, 'topics-doomed');
    await again.get('topics');
    expect((await again.get('domains/short-lived-too/topics/inner')).status).toBe(404);
  });

  it('end their operations when they are deleted meanwhile', async () => {
    const [made, deleted] = await Promise.all([one.put('topics/fleeting'), one.delete('topics/fleeting')]);
    expect([202, 204]).toContain(deleted.status);
    await bench.jar.settled();
    const { body } = await bench.call('GET', made.headers.get('azure-asyncoperation') ?? '');
    expect(['Succeeded', 'Canceled']).toContain(body.status);
  });
});
