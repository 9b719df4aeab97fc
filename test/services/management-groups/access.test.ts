import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { bodyOf, entities, GROUPS, group, idOf, makeGroups, namesIn, TENANT, VERSION } from './groups.ts';

const OTHER_TENANT = '20000000-0000-4000-8000-000000000001';
const person = (suffix: string): string => `10000000-0000-4000-8000-0000000000${suffix}`;

/** Ada owns everything, Lin contributes to a group, Dee reads the root group, and Noa has no role. */
const folder = mkdtempSync(join(tmpdir(), 'cloudjar-group-roles-'));
const seed = join(folder, 'seed.json');
const subscription = (subscriptionId: string, tenantId: string) => ({ subscriptionId, tenantId, displayName: 'One' });
writeFileSync(
  seed,
  JSON.stringify({
    resources: {
      subscriptions: [subscription(SUBSCRIPTION, TENANT), subscription(OTHER_SUBSCRIPTION, OTHER_TENANT)],
      roles: [
        { principalId: person('11'), scope: '/', role: 'Owner' },
        {
          principalId: person('12'),
          scope: '/providers/Microsoft.Management/managementGroups/Team',
          role: 'Contributor',
        },
        { principalId: person('13'), scope: `/providers/Vendor.Management/managementGroups/${TENANT}`, role: 'Reader' },
        { principalId: '20000000-0000-4000-8000-000000000011', scope: '/', role: 'Owner' },
      ],
    },
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

onAnyStore(
  'roles at management groups',
  (bench) => {
    const as = async (user: string) => ({ token: await bench.jar.token({ user }) });
    const outcome = async (user: string, method: string, path: string, body?: unknown) => {
      const reply = await bench.call(method, path, { ...(await as(user)), ...(body !== undefined && { body }) });
      return [reply.status, reply.body?.error?.code];
    };
    const REFUSED = [403, 'AuthorizationFailed'];
    const resourceGroup = `/subscriptions/${SUBSCRIPTION}/resourceGroups/stage?api-version=2021-04-01`;
    const member = (name: string) => group(name, `/subscriptions/${SUBSCRIPTION}`);

    it('count for the groups and subscriptions below, and for what is in them', async () => {
      await makeGroups(bench, { team: undefined, squad: 'team', aside: undefined });
      expect(await outcome('licensed', 'PUT', resourceGroup, { location: 'westus' })).toEqual(REFUSED);
      await bench.call('PUT', member('squad'));
      expect(await outcome('licensed', 'PUT', resourceGroup, { location: 'westus' })).toEqual([201, undefined]);
      expect(await outcome('licensed', 'PATCH', group('squad'), { displayName: 'Squad' })).toEqual([200, undefined]);
      await bench.call('PUT', member('aside'));
      expect(await outcome('licensed', 'GET', resourceGroup)).toEqual(REFUSED);
      await bench.call('PUT', member('squad'));
    });

    it('let their holders publish with a token to topics below', async () => {
      const topic = `/subscriptions/${SUBSCRIPTION}/resourceGroups/stage/providers/Vendor.EventGrid/topics/plays`;
      const made = await outcome('licensed', 'PUT', `${topic}?api-version=2025-02-15`, { location: 'westus' });
      expect(made).toEqual([201, undefined]);
      await bench.jar.settled();
      const { body } = await bench.call('GET', `${topic}?api-version=2025-02-15`);
      const endpoint = `${bench.jar.url}${new URL(body.properties.endpoint).pathname}?api-version=2018-01-01`;
      const play = {
        id: '1',
        eventType: 'Play',
        subject: '/',
        eventTime: '2030-01-01T00:00:00Z',
        dataVersion: '1',
        data: {},
      };
      const publish = async (user: string) =>
        (await bench.call('POST', endpoint, { ...(await as(user)), body: [play] })).status;
      expect(await publish('licensed')).toBe(200);
      expect(await publish('delegated-admin')).toBe(403);
      await bench.call('PUT', member('aside'));
      expect(await publish('licensed')).toBe(403);
      await bench.call('PUT', member('squad'));
    });

    it('let readers read, and no more', async () => {
      for (const path of [
        resourceGroup,
        group('squad'),
        member('squad'),
        group(TENANT, '/settings'),
        group('team', '/descendants'),
      ])
        expect(await outcome('delegated-admin', 'GET', path), path).toEqual([200, undefined]);
      for (const [method, path, body] of [
        ['PUT', resourceGroup, { location: 'westus' }],
        ['PATCH', group('squad'), {}],
        ['DELETE', group('squad'), undefined],
        ['PUT', member('squad'), undefined],
        ['DELETE', member('squad'), undefined],
        ['PUT', group(TENANT, '/settings/default'), {}],
        ['DELETE', group(TENANT, '/settings/default'), undefined],
      ] as const)
        expect(await outcome('delegated-admin', method, path, body), `${method} ${path}`).toEqual(REFUSED);
    });

    it('are asked for before the body is read', async () => {
      expect(await outcome('no-job-queue', 'PATCH', group('squad'), '{')).toEqual(REFUSED);
      expect(await outcome('no-job-queue', 'PUT', group('squad'), '{')).toEqual(REFUSED);
    });

    it('without any role reveal nothing: an unknown group looks like any other', async () => {
      for (const name of ['squad', 'nowhere']) {
        expect(await outcome('no-job-queue', 'GET', group(name))).toEqual(REFUSED);
        expect(await outcome('no-job-queue', 'DELETE', group(name))).toEqual(REFUSED);
      }
      expect(await outcome('delegated-admin', 'GET', group('nowhere'))).toEqual([404, 'NotFound']);
    });

    it('decide what lists show', async () => {
      const list = async (user: string) => namesIn(await bench.call('GET', `${GROUPS}?${VERSION}`, await as(user)));
      expect(await list('delegated-admin')).toEqual([TENANT, 'aside', 'squad', 'team']);
      expect(await list('licensed')).toEqual(['squad', 'team']);
      expect(await list('no-job-queue')).toEqual([]);
    });

    it('are the permissions of entities; groups on the way there are shown without access', async () => {
      const seen = async (user: string, query = '') => {
        const { body } = await entities(bench, query, await as(user));
        return body.value.map(
          ({ name, properties: { permissions, inheritedPermissions, numberOfDescendants } }: never) => [
            name,
            permissions,
            inheritedPermissions,
            numberOfDescendants,
          ],
        );
      };
      expect(await seen('licensed')).toEqual([
        [TENANT, 'noaccess', 'noaccess', 3],
        ['team', 'delete', 'noaccess', 2],
        ['squad', 'delete', 'delete', 1],
        [SUBSCRIPTION, 'delete', 'delete', 0],
      ]);
      expect((await seen('licensed', '$view=Audit')).map(([name]: string[]) => name)).toEqual([
        'team',
        'squad',
        SUBSCRIPTION,
      ]);
      expect((await seen('delegated-admin')).map((row: string[]) => row[1])).toEqual([
        'view',
        'view',
        'view',
        'view',
        'view',
      ]);
      expect(await seen('no-job-queue')).toEqual([]);
    });

    describe('a creation', () => {
      it('is open to everybody below the root, and makes them owner', async () => {
        await makeGroups(bench, { mine: undefined }, await as('no-job-queue'));
        expect(await outcome('no-job-queue', 'PATCH', group('mine'), { displayName: 'Mine' })).toEqual([
          200,
          undefined,
        ]);
        await makeGroups(bench, { 'mine-too': 'mine' }, await as('no-job-queue'));
        expect(await outcome('no-job-queue', 'DELETE', group('mine-too'))).toEqual([202, undefined]);
        await bench.jar.settled();
      });

      it('is visible to its caller and to readers of the group', async () => {
        const poll = (name: string) =>
          `${GROUPS.replace('managementGroups', 'operationResults')}/create/asyncOperation/status/managementGroups/${name}?${VERSION}`;
        expect(await outcome('no-job-queue', 'GET', poll('mine-too'))).toEqual([200, undefined]);
        expect(await outcome('delegated-admin', 'GET', poll('mine'))).toEqual([200, undefined]);
        for (const name of ['mine', 'nowhere']) expect(await outcome('licensed', 'GET', poll(name))).toEqual(REFUSED);
      });

      it('below another group needs a role there', async () => {
        expect(await outcome('no-job-queue', 'PUT', group('theirs'), bodyOf('team'))).toEqual(REFUSED);
        expect(await outcome('no-job-queue', 'PUT', group('theirs'), bodyOf('nowhere'))).toEqual(REFUSED);
        expect(await outcome('licensed', 'PUT', group('ours'), bodyOf('team'))).toEqual([202, undefined]);
        await bench.jar.settled();
      });

      it('needs a role at the root where the settings say so', async () => {
        const settings = group(TENANT, '/settings/default');
        await bench.call('PUT', settings, { body: { properties: { requireAuthorizationForGroupCreation: true } } });
        expect(await outcome('no-job-queue', 'PUT', group('more'), {})).toEqual(REFUSED);
        expect(await outcome('no-job-queue', 'PUT', group('more'), bodyOf('mine'))).toEqual([202, undefined]);
        await bench.jar.settled();
        await bench.call('DELETE', group('more'));
        await bench.call('DELETE', settings);
      });

      it('gives a role that goes with the group', async () => {
        expect(await outcome('no-job-queue', 'DELETE', group('mine'))).toEqual([202, undefined]);
        await bench.jar.settled();
        await makeGroups(bench, { mine: undefined });
        expect(await outcome('no-job-queue', 'GET', group('mine'))).toEqual(REFUSED);
        await bench.call('DELETE', group('mine'));
        await bench.jar.settled();
      });
    });

    describe('a move', () => {
      it('of a group needs roles at both parents', async () => {
        expect(await outcome('licensed', 'PATCH', group('squad'), { parentGroupId: idOf('aside') })).toEqual(REFUSED);
        expect(await outcome('licensed', 'PATCH', group('team'), { parentGroupId: idOf('aside') })).toEqual(REFUSED);
        expect(await outcome('licensed', 'PATCH', group('squad'), { parentGroupId: idOf('nowhere') })).toEqual(REFUSED);
        expect(await outcome('licensed', 'PATCH', group('squad'), { parentGroupId: idOf('ours') })).toEqual([
          200,
          undefined,
        ]);
        expect(await outcome('licensed', 'PATCH', group('squad'), { parentGroupId: idOf('team') })).toEqual([
          200,
          undefined,
        ]);
      });

      it('of a subscription needs roles at the subscription and at both groups', async () => {
        expect(await outcome('licensed', 'PUT', member('team'))).toEqual([200, undefined]);
        expect(await outcome('licensed', 'PUT', member('aside'))).toEqual(REFUSED);
        // The subscription would move to the root group.
        expect(await outcome('licensed', 'DELETE', member('team'))).toEqual(REFUSED);
        await makeGroups(bench, { own: undefined }, await as('no-job-queue'));
        expect(await outcome('no-job-queue', 'PUT', member('own'))).toEqual(REFUSED);
        await bench.call('DELETE', group('own'));
      });
    });

    it('of one tenant mean nothing in another, whose groups may have the same names', async () => {
      expect(namesIn(await bench.call('GET', `${GROUPS}?${VERSION}`, await as('other')))).toEqual([OTHER_TENANT]);
      expect(await outcome('other', 'GET', group('team'))).toEqual([404, 'NotFound']);
      expect(await outcome('other', 'GET', group(TENANT))).toEqual([404, 'NotFound']);
      expect(await outcome('other', 'PUT', member(OTHER_TENANT))).toEqual([404, 'NotFound']);
      await makeGroups(bench, { team: undefined }, await as('other'));
      expect(await outcome('other', 'PATCH', group('team'), { displayName: 'Another team' })).toEqual([200, undefined]);
      expect((await bench.call('GET', group('team'))).body.properties.displayName).toBe('team');
      expect((await entities(bench, '', await as('other'))).body.count).toBe(3);
    });
  },
  { seed },
);
