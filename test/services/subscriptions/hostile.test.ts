import { expect, it } from 'vitest';
import { onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { ADA, ALIASES, Caller, LIN, NEW, seedFile, TENANT } from './support.ts';

const groupId = (name: string): string => `/providers/Vendor.Management/managementGroups/${name}`;
const MANAGEMENT = 'api-version=2021-04-01';

/** Ada owns everything, Lin owns the group `lin`; the others of the tenant have no role. */
const seed = seedFile({
  resources: {
    subscriptions: [{ subscriptionId: SUBSCRIPTION, tenantId: TENANT, displayName: 'One' }],
    roles: [
      { principalId: ADA, scope: '/', role: 'Owner' },
      { principalId: LIN, scope: groupId('lin'), role: 'Owner' },
    ],
  },
});

onBothStores('one alias for two callers at once', (bench) => {
  it('is the alias of one of them, and the other is told nothing of it', async () => {
    const caller = new Caller(bench);
    await caller.call('licensed', 'GET', ALIASES);
    await caller.call('delegated-admin', 'GET', ALIASES);
    for (let round = 0; round < 10; round++) {
      const users = ['licensed', 'delegated-admin'];
      const replies = await Promise.all(
        users.map((user) => caller.put(`both-${round}`, { ...NEW, displayName: user }, { user })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
      for (const [at, { status, body }] of replies.entries()) {
        if (status === 201) expect(body.properties.displayName).toBe(users[at]);
        else expect(body.error.code).toBe('AuthorizationFailed');
      }
    }
  });
});

onAnyStore('bodies of callers who may not write', (bench) => {
  it('are not read', async () => {
    const caller = new Caller(bench);
    await caller.put('hers', NEW);
    const id = await caller.offered('gift', { ...NEW, additionalProperties: { subscriptionOwnerId: LIN } });
    for (const [method, path, code] of [
      ['PUT', `${ALIASES}/hers`, 'AuthorizationFailed'],
      ['PUT', `${ALIASES}/a.b`, 'Forbidden'],
      ['PUT', '/providers/Vendor.Subscription/policies/default', 'AuthorizationFailed'],
      ['POST', `/providers/Vendor.Subscription/subscriptions/${id}/acceptOwnership`, 'Forbidden'],
    ] as const) {
      const { status, body } = await caller.call('delegated-admin', method, path, { body: '{' });
      expect([status, body.error.code], path).toEqual([403, code]);
    }
  });
});

onAnyStore('texts of a megabyte', (bench) => {
  it('are refused by an error of a few words', async () => {
    const caller = new Caller(bench);
    const long = '1'.repeat(1_000_000);
    for (const given of [
      { billingScope: `/billingAccounts/a/customers/${long}` },
      { billingScope: long },
      { resellerId: long },
      { subscriptionId: long },
      { additionalProperties: { managementGroupId: long } },
      { additionalProperties: { managementGroupId: groupId(long) } },
      { additionalProperties: { subscriptionOwnerId: long } },
    ]) {
      const { status, body } = await caller.put('long', { ...NEW, ...given });
      expect(status, Object.keys(given).join()).toBe(400);
      expect(JSON.stringify(body).length).toBeLessThan(2000);
    }
  });
});

onBothStores('texts that databases dislike', (bench) => {
  it('are stored as they are, or refused', async () => {
    const caller = new Caller(bench);
    const odd = ['\ud800', 'a\udfff', '\u0000', '\u2028', '__proto__', '\u202e'];
    for (const [at, text] of odd.entries()) {
      const tags = Object.fromEntries([
        [`t${text}`, text],
        ['__proto__', 'x'],
      ]);
      const { status, body } = await caller.put(`odd-${at}`, {
        ...NEW,
        displayName: text,
        additionalProperties: { tags },
      });
      expect([201, 400], JSON.stringify([text, body])).toContain(status);
      expect((await caller.get(`odd-${at}`)).body.properties?.displayName).toBe(status === 201 ? text : undefined);
      if (status === 201) expect(Object.keys(body.properties.tags)).toContain('__proto__');
    }
    await bench.jar.clock.advance('1s');
    for (const at of odd.keys()) {
      const { body } = await caller.get(`odd-${at}`);
      if (body.properties) expect(body.properties.provisioningState).toBe('Succeeded');
    }
    for (const [at, text] of odd.entries()) {
      const path = `${groupId(`odd-${at}`)}?${MANAGEMENT}`;
      const { status, body } = await bench.call('PUT', path, { body: { properties: { displayName: text } } });
      expect([202, 400], JSON.stringify([text, body])).toContain(status);
    }
    await bench.jar.settled();
  });
});

onAnyStore(
  'subscriptions and management groups',
  (bench) => {
    const caller = new Caller(bench);
    const more = (additionalProperties: object) => ({ ...NEW, additionalProperties });
    const makeGroup = async (name: string, user = 'admin') => {
      const path = `${groupId(name)}?${MANAGEMENT}`;
      const token = await bench.jar.token({ user });
      expect((await bench.call('PUT', path, { token, body: {} })).status).toBe(202);
      await bench.jar.settled();
    };
    const membersOf = async (name: string): Promise<string[]> => {
      const { body } = await bench.call('GET', `${groupId(name)}/subscriptions?${MANAGEMENT}`);
      return body.value.map((each: { name: string }) => each.name);
    };

    it('a role at a group above a subscription is enough for an alias of it', async () => {
      await makeGroup('lin');
      const refused = await caller.put(
        'mine',
        { displayName: 'x', subscriptionId: SUBSCRIPTION },
        { user: 'licensed' },
      );
      expect([refused.status, refused.body.code]).toEqual([404, 'SubscriptionNotFound']);
      await bench.call('PUT', `${groupId('lin')}/subscriptions/${SUBSCRIPTION}?${MANAGEMENT}`);
      const made = await caller.put('mine', { displayName: 'x', subscriptionId: SUBSCRIPTION }, { user: 'licensed' });
      expect(made.status).toBe(200);
    });

    it('nobody puts a subscription into a group at which they have no role, or learns whether there is such a group', async () => {
      await makeGroup('secret');
      for (const name of ['secret', 'nowhere']) {
        const { status, body } = await caller.put('intruder', more({ managementGroupId: groupId(name) }), {
          user: 'delegated-admin',
        });
        expect([status, body.error.code], name).toEqual([403, 'AuthorizationFailed']);
      }
      const own = await caller.made('own', more({ managementGroupId: groupId('lin') }), 'licensed');
      expect(await membersOf('lin')).toContain(own);
      await caller.made('top', more({ managementGroupId: groupId(TENANT) }), 'delegated-admin');
    });

    it('an owner cannot accept into a group at which the owner has no role', async () => {
      const id = await caller.offered('refused', more({ subscriptionOwnerId: LIN }));
      const { status, body } = await caller.accept(id, 'licensed', {
        displayName: 'x',
        managementGroupId: groupId('secret'),
      });
      expect([status, body.error.code]).toEqual([403, 'AuthorizationFailed']);
    });

    it('a subscription that is accepted goes to the group that was asked for, unless its owner chooses another', async () => {
      await makeGroup('gifts');
      const id = await caller.offered('gift', more({ managementGroupId: groupId('gifts'), subscriptionOwnerId: LIN }));
      expect((await caller.accept(id, 'licensed')).status).toBe(202);
      await bench.jar.settled();
      expect(await membersOf('gifts')).toEqual([id]);
      const other = await caller.offered(
        'other',
        more({ managementGroupId: groupId('gifts'), subscriptionOwnerId: LIN }),
      );
      await caller.accept(other, 'licensed', { displayName: 'x', managementGroupId: groupId('lin') });
      await bench.jar.settled();
      expect(await membersOf('lin')).toContain(other);
    });
  },
  { seed },
);
