import { describe, expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { bodyOf, entities, GROUPS, group, idOf, makeGroups, namesIn, PROVIDER, TENANT, VERSION } from './groups.ts';

onAnyStore('the rules of management groups', (bench) => {
  const outcome = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await bench.call(method, path, body === undefined ? {} : { body });
    return [status, answer?.error?.code];
  };

  describe('a creation', () => {
    it('answers 202 with the address to poll, which shows the outcome', async () => {
      const { status, headers, body } = await bench.call('PUT', group('First'), {
        body: { name: 'first', properties: {} },
      });
      expect(status).toBe(202);
      expect(body).toEqual({
        id: idOf('First'),
        type: 'Vendor.Management/managementGroups',
        name: 'First',
        status: 'NotStarted',
      });
      const results = `${bench.jar.url}${PROVIDER}/operationResults/create`;
      expect(headers.get('azure-asyncoperation')).toBe(
        `${results}/asyncOperation/status/managementGroups/First?${VERSION}`,
      );
      expect(headers.get('location')).toBe(`${results}/managementGroups/First?${VERSION}`);
      expect(headers.get('retry-after')).toBe('1');
      for (const name of ['azure-asyncoperation', 'location']) {
        const poll = await bench.call('GET', headers.get(name) ?? '');
        expect(poll.status).toBe(200);
        expect(poll.body).toEqual({
          id: new URL(headers.get(name) ?? '').pathname,
          name: 'First',
          status: 'Succeeded',
          properties: {
            tenantId: TENANT,
            displayName: 'First',
            details: {
              version: 1,
              updatedTime: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{7}Z$/),
              updatedBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
            },
          },
        });
        expect(poll.headers.get('azure-asyncoperation')).toBeNull();
      }
    });

    it('of a group that exists changes it, under the casing of its first write', async () => {
      const { status, body, headers } = await bench.call('PUT', group('FIRST'), { body: bodyOf(undefined, 'One') });
      expect(status).toBe(200);
      expect(headers.get('azure-asyncoperation')).toBeNull();
      expect(body).toMatchObject({
        id: idOf('First'),
        name: 'First',
        properties: {
          displayName: 'One',
          details: {
            version: 2,
            parent: { id: idOf(TENANT), name: TENANT, displayName: 'Tenant Root Group' },
          },
        },
      });
    });

    it('keeps parent and display name if an update does not contain them', async () => {
      await makeGroups(bench, { second: 'First' });
      const { body } = await bench.call('PUT', group('second'), { body: {} });
      expect(body.properties).toMatchObject({
        displayName: 'second',
        details: { version: 1, parent: { name: 'First' } },
      });
      // An update without a difference does not count as a change.
      const same = await bench.call('PUT', group('second'), { body: bodyOf('First', 'second') });
      expect(same.body).toEqual(body);
      const renamed = await bench.call('PUT', group('second'), { body: bodyOf(undefined, '2nd') });
      expect(renamed.body.properties.details).toMatchObject({ version: 2, parent: { name: 'First' } });
    });

    it.each([['x'.repeat(91)], ['with%20blank'], ['m%C3%BCll'], ['dot.'], ['a*b'], ["a'b"]])(
      'refuses the name %s',
      async (name) => {
        expect(await outcome('PUT', group(name), {})).toEqual([400, 'BadRequest']);
      },
    );

    it.each([['x'.repeat(90)], ['a-b_c(d).e'], ['0'], ['(x)']])('takes the name %s', async (name) => {
      expect((await bench.call('PUT', group(name), { body: {} })).status).toBe(202);
      await bench.jar.settled();
      expect((await bench.call('DELETE', group(name))).status).toBe(202);
      await bench.jar.settled();
    });

    it.each([
      ['another name than the address', { name: 'other' }, 'name'],
      ['a display name that is no text', { properties: { displayName: 7 } }, 'properties.displayName'],
      ['a display name with a line break', { properties: { displayName: 'a\nb' } }, 'properties.displayName'],
      ['a long display name', { properties: { displayName: 'x'.repeat(257) } }, 'properties.displayName'],
      [
        'a parent that is no group',
        { properties: { details: { parent: { id: '/subscriptions/x' } } } },
        'properties.details.parent.id',
      ],
      ['properties that are a list', { properties: [] }, 'properties'],
    ])('refuses %s, and names the field', async (_case, body, target) => {
      const reply = await bench.call('PUT', group('bad'), { body });
      expect([reply.status, reply.body.error.code, reply.body.error.target]).toEqual([400, 'BadRequest', target]);
      expect((await bench.call('GET', group('bad'))).status).toBe(404);
    });

    it('refuses a parent that does not exist, and broken JSON', async () => {
      expect(await outcome('PUT', group('bad'), bodyOf('nowhere'))).toEqual([404, 'NotFound']);
      expect(await outcome('PUT', group('bad'), '{')).toEqual([400, 'BadRequest']);
    });

    it('ends at six levels below the root', async () => {
      await makeGroups(bench, { l1: undefined, l2: 'l1', l3: 'l2', l4: 'l3', l5: 'l4', l6: 'l5' });
      expect(await outcome('PUT', group('l7'), bodyOf('l6'))).toEqual([400, 'BadRequest']);
      await makeGroups(bench, { tall: undefined, taller: 'tall' });
      expect(await outcome('PATCH', group('tall'), { parentGroupId: idOf('l5') })).toEqual([400, 'BadRequest']);
      expect(await outcome('PATCH', group('tall'), { parentGroupId: idOf('l4') })).toEqual([200, undefined]);
    });
  });

  describe('an error', () => {
    it('has details that are a text or null', async () => {
      const { body } = await bench.call('GET', group('missing'));
      expect(body.error).toEqual({
        code: 'NotFound',
        message: "The management group 'missing' was not found.",
        details: null,
      });
    });

    it('of a version that was never published names those that were', async () => {
      const { status, body } = await bench.call('GET', `${GROUPS}/first?api-version=2000-01-01`);
      expect([status, body.error.code]).toEqual([400, 'NoRegisteredProviderFound']);
      expect(body.error.message).toContain('2021-04-01');
    });
  });

  describe('a move', () => {
    it('moves the descendants too, and refuses cycles', async () => {
      await makeGroups(bench, { top: undefined, middle: 'top', leaf: 'middle', aside: undefined });
      for (const parent of ['top', 'middle', 'leaf'])
        expect(await outcome('PATCH', group('top'), { parentGroupId: idOf(parent) }), parent).toEqual([
          400,
          'BadRequest',
        ]);
      const { body } = await bench.call('PATCH', group('MIDDLE'), { body: { parentGroupId: idOf('ASIDE') } });
      expect(body.properties.details.parent).toEqual({ id: idOf('aside'), name: 'aside', displayName: 'aside' });
      expect(namesIn(await bench.call('GET', group('aside', '/descendants')))).toEqual(['leaf', 'middle']);
    });

    it('goes to a parent that exists', async () => {
      expect(await outcome('PATCH', group('leaf'), { parentGroupId: idOf('nowhere') })).toEqual([404, 'NotFound']);
      expect(await outcome('PATCH', group('nowhere'), { displayName: 'x' })).toEqual([404, 'NotFound']);
      expect(await outcome('PATCH', group('leaf'), { parentGroupId: 'a/b' })).toEqual([400, 'BadRequest']);
    });

    it('goes back below the root', async () => {
      const { body } = await bench.call('PATCH', group('middle'), { body: { parentGroupId: idOf(TENANT) } });
      expect(body.properties.details.parent.name).toBe(TENANT);
    });
  });

  describe('the root group', () => {
    it('is named like the tenant, has no parent, and can be renamed', async () => {
      const { body } = await bench.call('GET', group(TENANT));
      expect(body.properties).toEqual({
        tenantId: TENANT,
        displayName: 'Tenant Root Group',
        details: { version: 0, updatedTime: '0001-01-01T00:00:00', updatedBy: null, parent: null },
      });
      const renamed = await bench.call('PATCH', group(TENANT), { body: { displayName: 'All of it' } });
      expect(renamed.body.properties).toMatchObject({
        displayName: 'All of it',
        details: { version: 1, parent: null },
      });
      const listed = namesIn(await bench.call('GET', group('', '', '$top=500').replace('/?', '?')));
      expect(listed.filter((name) => name === TENANT)).toEqual([TENANT]);
      expect(namesIn(await bench.call('GET', group(TENANT, '/descendants')))).not.toContain(TENANT);
    });

    it('can be neither moved nor deleted', async () => {
      expect(await outcome('PATCH', group(TENANT), { parentGroupId: idOf('top') })).toEqual([400, 'BadRequest']);
      expect(await outcome('PUT', group(TENANT), bodyOf('top'))).toEqual([400, 'BadRequest']);
      expect(await outcome('DELETE', group(TENANT))).toEqual([400, 'BadRequest']);
    });
  });

  describe('a deletion', () => {
    it('answers 202, and 204 where there is nothing', async () => {
      await makeGroups(bench, { gone: undefined });
      const { status, body, headers } = await bench.call('DELETE', group('GONE'));
      expect(status).toBe(202);
      expect(body).toEqual({
        id: idOf('gone'),
        type: 'Vendor.Management/managementGroups',
        name: 'gone',
        status: 'NotStarted',
      });
      const poll = await bench.call('GET', headers.get('azure-asyncoperation') ?? '');
      expect(poll.body).toEqual({
        id: `${PROVIDER}/operationResults/delete/asyncOperation/status/managementGroups/gone`,
        name: 'gone',
        status: 'Succeeded',
      });
      expect((await bench.call('GET', group('gone'))).status).toBe(404);
      expect((await bench.call('DELETE', group('gone'))).status).toBe(204);
    });

    it('is refused while something is in the group', async () => {
      expect(await outcome('DELETE', group('l1'))).toEqual([400, 'BadRequest']);
      await makeGroups(bench, { holder: undefined });
      await bench.call('PUT', group('holder', `/subscriptions/${SUBSCRIPTION}`));
      expect(await outcome('DELETE', group('holder'))).toEqual([400, 'BadRequest']);
      await bench.call('DELETE', group('holder', `/subscriptions/${SUBSCRIPTION}`));
      expect((await bench.call('DELETE', group('holder'))).status).toBe(202);
    });

    it('lets the version count on', async () => {
      await makeGroups(bench, { again: undefined });
      await bench.call('PATCH', group('again'), { body: { displayName: 'Again' } });
      await bench.call('DELETE', group('again'));
      await bench.jar.settled();
      await makeGroups(bench, { again: undefined });
      expect((await bench.call('GET', group('again'))).body.properties.details.version).toBe(3);
    });

    it('is forgotten a day after its end', async () => {
      const status = `${PROVIDER}/operationResults/delete/asyncOperation/status/managementGroups/gone?${VERSION}`;
      expect((await bench.call('GET', status)).status).toBe(200);
      await bench.jar.clock.advance('25h');
      expect(await outcome('GET', status)).toEqual([404, 'NotFound']);
    });
  });

  describe('a read', () => {
    it.each([
      ['$expand=nothing', '$expand'],
      ['$recurse=true', '$recurse'],
      ['$expand=children&$recurse=perhaps', '$recurse'],
      ["$expand=children&$filter=name eq 'x'", '$filter'],
    ])('refuses ?%s', async (query, target) => {
      const { status, body } = await bench.call('GET', group('top', '', query));
      expect([status, body.error.code, body.error.target]).toEqual([400, 'BadRequest', target]);
    });

    it('shows children, a path and ancestors, each where it is asked for', async () => {
      await makeGroups(bench, { outer: undefined, inner: 'outer', innermost: 'inner' });
      await bench.call('PUT', group('inner', `/subscriptions/${SUBSCRIPTION}`));
      const read = async (query: string) => (await bench.call('GET', group('inner', '', query))).body.properties;
      const child = {
        id: idOf('innermost'),
        type: 'Vendor.Management/managementGroups',
        name: 'innermost',
        displayName: 'innermost',
      };
      const member = {
        id: `/subscriptions/${SUBSCRIPTION}`,
        type: '/subscriptions',
        name: SUBSCRIPTION,
        displayName: 'Cloudjar',
      };
      expect(await read('')).not.toHaveProperty('children');
      const expanded = await read('$expand=children');
      expect(expanded.children).toEqual([child, member]);
      expect(expanded.details).toEqual({
        version: 0,
        updatedTime: '0001-01-01T00:00:00',
        updatedBy: null,
        parent: { id: idOf('outer'), name: 'outer', displayName: 'outer' },
      });
      for (const filter of ['children.childType ne Subscription', "children.childType ne 'subscription'"])
        expect((await read(`$expand=children&$filter=${encodeURIComponent(filter)}`)).children).toEqual([child]);
      const { details } = await read('$expand=path,ancestors');
      expect(details.path.map(({ name }: { name: string }) => name)).toEqual([TENANT, 'outer', 'inner']);
      expect(details.managementGroupAncestors).toEqual(['outer', TENANT]);
      expect(details.managementGroupAncestorsChain[0]).toEqual({ name: 'outer', displayName: 'outer' });
      expect((await bench.call('GET', group('innermost', '', '$expand=children'))).body.properties).not.toHaveProperty(
        'children',
      );
      await bench.call('DELETE', group('inner', `/subscriptions/${SUBSCRIPTION}`));
    });
  });

  describe('subscriptions', () => {
    const member = (name: string, subscription = SUBSCRIPTION) => group(name, `/subscriptions/${subscription}`);

    it('are in one group at a time', async () => {
      await makeGroups(bench, { east: undefined, west: undefined });
      const { status, body } = await bench.call('PUT', member('EAST'));
      expect(status).toBe(200);
      expect(body).toEqual({
        name: SUBSCRIPTION,
        id: `${idOf('east')}/subscriptions/${SUBSCRIPTION}`,
        type: 'Vendor.Management/managementGroups/subscriptions',
        properties: {
          displayName: 'Cloudjar',
          parent: { id: idOf('east'), name: null, displayName: null },
          state: 'Active',
          tenant: TENANT,
        },
      });
      await bench.call('PUT', member('west'));
      expect(await outcome('GET', member('east'))).toEqual([404, 'NotFound']);
      expect((await bench.call('GET', member('west'))).body.name).toBe(SUBSCRIPTION);
      const { body: list } = await bench.call('GET', group('west', '/subscriptions'));
      expect(list.value).toHaveLength(1);
      expect(list).not.toHaveProperty('nextLink');
    });

    it('go to the default group when they are taken out', async () => {
      const settings = group(TENANT, '/settings/default');
      await bench.call('PUT', settings, { body: { properties: { defaultManagementGroup: 'East' } } });
      const removed = await bench.call('DELETE', member('west'));
      expect([removed.status, removed.text]).toEqual([200, '']);
      expect((await bench.call('GET', member('east'))).status).toBe(200);
      expect((await bench.call('DELETE', member('west'))).status).toBe(204);
      await bench.call('DELETE', settings);
      await bench.call('DELETE', member('east'));
      expect((await bench.call('GET', member(TENANT))).status).toBe(200);
    });

    it('have to be of the tenant, and the group has to be there', async () => {
      expect(await outcome('PUT', member('east', '20000000-0000-4000-8000-0000000000f1'))).toEqual([404, 'NotFound']);
      expect(await outcome('PUT', member('east', 'nonsense'))).toEqual([404, 'NotFound']);
      expect(await outcome('PUT', member('nowhere'))).toEqual([404, 'NotFound']);
      expect(await outcome('GET', member('nowhere'))).toEqual([404, 'NotFound']);
    });
  });

  describe('hierarchy settings', () => {
    const settings = group(TENANT, '/settings/default');

    it('are not there at first', async () => {
      expect(await outcome('GET', settings)).toEqual([404, 'NotFound']);
      expect(await outcome('PATCH', settings, { properties: {} })).toEqual([404, 'NotFound']);
      expect(await outcome('DELETE', settings)).toEqual([404, 'NotFound']);
      expect((await bench.call('GET', group(TENANT, '/settings'))).body).toEqual({ value: [], '@nextLink': null });
    });

    it('show the default group as a bare name', async () => {
      const { status, body } = await bench.call('PUT', settings, {
        body: { properties: { defaultManagementGroup: idOf('EAST'), requireAuthorizationForGroupCreation: true } },
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        id: `${idOf(TENANT)}/settings/default`,
        type: 'Vendor.Management/managementGroups/settings',
        name: 'default',
        properties: { tenantId: TENANT, requireAuthorizationForGroupCreation: true, defaultManagementGroup: 'east' },
      });
      expect((await bench.call('GET', group(TENANT, '/settings'))).body.value).toEqual([body]);
    });

    it('change in part, and are replaced as a whole', async () => {
      const patched = await bench.call('PATCH', settings, {
        body: { properties: { requireAuthorizationForGroupCreation: false } },
      });
      expect(patched.body.properties).toMatchObject({
        defaultManagementGroup: 'east',
        requireAuthorizationForGroupCreation: false,
      });
      const put = await bench.call('PUT', settings, { body: {} });
      expect(put.body.properties).toMatchObject({
        defaultManagementGroup: null,
        requireAuthorizationForGroupCreation: false,
      });
    });

    it('keep the default group from being deleted', async () => {
      await bench.call('PATCH', settings, { body: { properties: { defaultManagementGroup: 'east' } } });
      expect(await outcome('DELETE', group('east'))).toEqual([400, 'BadRequest']);
      await bench.call('PATCH', settings, { body: { properties: { defaultManagementGroup: '' } } });
      expect((await bench.call('DELETE', group('east'))).status).toBe(202);
      await bench.jar.settled();
    });

    it('belong to the root group, and name a group that exists', async () => {
      expect(await outcome('PUT', group('west', '/settings/default'), {})).toEqual([400, 'BadRequest']);
      for (const id of ['nowhere', idOf('nowhere')])
        expect(await outcome('PUT', settings, { properties: { defaultManagementGroup: id } })).toEqual([
          404,
          'NotFound',
        ]);
      expect(await outcome('PUT', settings, { properties: { defaultManagementGroup: 7 } })).toEqual([
        400,
        'BadRequest',
      ]);
      expect(await outcome('DELETE', settings)).toEqual([200, undefined]);
    });
  });

  describe('a check of a name', () => {
    const check = async (name: unknown, type = 'Vendor.Management/managementGroups') =>
      (await bench.call('POST', `${PROVIDER}/checkNameAvailability?${VERSION}`, { body: { name, type } })).body;

    it('says whether it is free, taken or not valid', async () => {
      expect(await check('free')).toEqual({ nameAvailable: true });
      expect(await check('WEST')).toMatchObject({
        nameAvailable: false,
        reason: 'AlreadyExists',
        message: expect.any(String),
      });
      expect(await check(TENANT)).toMatchObject({ nameAvailable: false, reason: 'AlreadyExists' });
      expect(await check('a b')).toMatchObject({
        nameAvailable: false,
        reason: 'Invalid',
        message: expect.any(String),
      });
      expect(await check('')).toMatchObject({ nameAvailable: false, reason: 'Invalid' });
      expect(await check('free', 'Microsoft.Management/managementGroups')).toEqual({ nameAvailable: true });
    });

    it('needs a name and the type, and lists both mistakes in a text', async () => {
      const { body } = await bench.call('POST', `${PROVIDER}/checkNameAvailability?${VERSION}`, { body: {} });
      expect(body.error.details).toMatch(/'name'.*'type'/);
      expect((await check(undefined)).error).toMatchObject({ code: 'BadRequest', target: 'name' });
      expect((await check('free', 'Vendor.Other/things')).error).toMatchObject({ code: 'BadRequest', target: 'type' });
    });
  });

  it('a tenant is filled in from the start', async () => {
    for (const name of ['startTenantBackfill', 'tenantBackfillStatus']) {
      const { status, body } = await bench.call('POST', `${PROVIDER}/${name}?${VERSION}`);
      expect([status, body]).toEqual([200, { tenantId: TENANT, status: 'Completed' }]);
    }
  });

  it("writes report the remaining requests, in addition to the gateway's counts", async () => {
    const { headers } = await bench.call('PATCH', group('west'), { body: {} });
    expect(Number(headers.get('x-ms-ratelimit-remaining-managementgroups-requests'))).toBeLessThan(60);
    expect(headers.get('x-ms-ratelimit-remaining-tenant-writes')).toMatch(/^\d+$/);
    const read = await bench.call('GET', group('west'));
    expect(read.headers.get('x-ms-ratelimit-remaining-managementgroups-requests')).toBeNull();
  });

  it('a subscription can register the provider', async () => {
    const register = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Management/register?api-version=2021-04-01`;
    const { body } = await bench.call('POST', register);
    expect(body).toMatchObject({ namespace: 'Vendor.Management', registrationState: 'Registered' });
  });

  it('the number of groups has a quota, and deletions free it', async () => {
    const count = (await entities(bench, '$view=GroupsOnly&$top=1')).body.count - 1;
    const change = (limit: number | null) =>
      bench.call('PATCH', '/_jar/limits', {
        token: bench.jar.adminKey,
        body: { name: 'management-groups.groups', limit },
      });
    expect((await change(count + 1)).status).toBe(200);
    await makeGroups(bench, { last: undefined });
    expect(await outcome('PUT', group('more'), {})).toEqual([409, 'Conflict']);
    await bench.call('DELETE', group('last'));
    await bench.jar.settled();
    await makeGroups(bench, { more: undefined });
    await change(null);
  });

  it('every write leaves a change record with the tenant and the groups above', async () => {
    await makeGroups(bench, { 'kept-above': undefined, 'kept-below': 'kept-above' });
    await bench.call('PATCH', group('kept-below'), { body: { parentGroupId: idOf('nowhere') } });
    await bench.call('DELETE', group('kept-below'));
    await bench.jar.settled();
    const filter = encodeURIComponent(`subject eq '${idOf('kept-below')}'`);
    const { body } = await bench.call('GET', `/_jar/changes?$filter=${filter}`, { token: bench.jar.adminKey });
    const records = body.value.map(({ kind, outcome: end, data }: { kind: string; outcome: string; data: object }) => ({
      kind,
      end,
      ...data,
    }));
    const common = { tenantId: TENANT, managementGroup: 'kept-below', resourceProvider: 'Vendor.Management' };
    const above = { managementGroups: ['kept-above', TENANT] };
    expect(records).toMatchObject([
      { ...common, ...above, kind: 'write', end: 'Succeeded' },
      { ...common, ...above, kind: 'write', end: 'Failed', error: { code: 'NotFound' } },
      { ...common, ...above, kind: 'delete', end: 'Succeeded' },
    ]);
  });

  it('writes have a rate limit', async () => {
    const change = (body: object) => bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body });
    const name = 'management-groups.requests';
    expect((await change({ name, size: 1, mode: 'enforced' })).status).toBe(200);
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await bench.call('PATCH', group('west'), { body: {} }));
    const refused = replies.at(-1);
    expect([refused?.status, refused?.body.error.code, refused?.body.error.details]).toEqual([
      429,
      'TooManyRequests',
      null,
    ]);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await bench.call('GET', group('west'))).status).toBe(200);
    await change({ name, size: null, mode: null });
  });

  it('moves of subscriptions have a limit of their own', async () => {
    const left = async (path: string, body?: object) =>
      (await bench.call('PUT', path, { body })).headers.get('x-ms-ratelimit-remaining-managementgroups-requests');
    // The clock stands still, so the moves of the tests before count, too.
    expect(Number(await left(group('west', `/subscriptions/${SUBSCRIPTION}`)))).toBeGreaterThan(60);
    expect(Number(await left(group('west'), {}))).toBeLessThan(60);
  });

  it('what can be done is listed', async () => {
    const { body } = await bench.call('GET', `${PROVIDER}/operations?${VERSION}`);
    expect(namesIn({ body } as never)).toContain('Vendor.Management/managementGroups/write');
  });
});
