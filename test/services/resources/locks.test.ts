import { ManagementLockClient } from '@azure/arm-locks';
import { ResourceManagementClient } from '@azure/arm-resources';
import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from './widgets.ts';

const ROOT = `/subscriptions/${SUBSCRIPTION}`;
const GROUP = `${ROOT}/resourceGroups/locked`;
const WIDGET = `${GROUP}/providers/Vendor.Test/widgets/one`;
const V = 'api-version=2021-04-01';
const WV = 'api-version=2024-01-01';
const LV = 'api-version=2016-09-01';
const OPTIONS = { services: [...SERVICES, WIDGETS] };
const widget = { location: 'eastus', properties: { size: 1 } };

onBothStores(
  'a team locks what must stay',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const locks = () =>
      new ManagementLockClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl }).managementLocks;
    const groups = () =>
      new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl }).resourceGroups;

    it('and neither the resource nor its containers can be deleted', async () => {
      await groups().createOrUpdate('locked', { location: 'eastus' });
      await bench.call('PUT', `${WIDGET}?${WV}`, { body: widget });
      const made = await locks().createOrUpdateByScope(WIDGET, 'keep', { level: 'CanNotDelete', notes: 'ours' });
      expect(made).toMatchObject({ name: 'keep', level: 'CanNotDelete', notes: 'ours' });
      expect(await bench.call('DELETE', `${WIDGET}?${WV}`)).toMatchObject({
        status: 409,
        body: {
          error: {
            code: 'ScopeLocked',
            message: `The scope '${WIDGET}' cannot perform delete operation because following scope(s) are locked: '${WIDGET}'. Please remove the lock and try again.`,
          },
        },
      });
      await expect(groups().delete('locked')).rejects.toMatchObject({ statusCode: 409, code: 'ScopeLocked' });
      // Refused immediately: the deletion did not start.
      expect((await groups().get('locked')).properties?.provisioningState).toBe('Succeeded');
      expect((await bench.call('PUT', `${WIDGET}?${WV}`, { body: widget })).status).toBe(200);
      await locks().deleteByScope(WIDGET, 'keep');
      expect((await bench.call('DELETE', `${WIDGET}?${WV}`)).status).toBe(200);
    });

    it('and nobody writes below a lock for reading', async () => {
      await bench.call('PUT', `${WIDGET}?${WV}`, { body: widget });
      await locks().createOrUpdateAtResourceGroupLevel('locked', 'frozen', { level: 'ReadOnly' });
      for (const [method, body] of [
        ['PUT', widget],
        ['PATCH', { tags: {} }],
        ['DELETE', undefined],
      ] as const) {
        const reply = await bench.call(method, `${WIDGET}?${WV}`, { body });
        expect(reply).toMatchObject({ status: 409, body: { error: { code: 'ScopeLocked' } } });
        expect(reply.body.error.message).toContain(`following scope(s) are locked: '${GROUP}'.`);
      }
      expect((await bench.call('GET', `${WIDGET}?${WV}`)).status).toBe(200);
      // Another group is not affected.
      expect((await groups().createOrUpdate('free', { location: 'eastus' })).name).toBe('free');
      await expect(groups().createOrUpdate('locked', { location: 'eastus' })).rejects.toMatchObject({
        code: 'ScopeLocked',
      });
      // Locks can be changed below a lock, and a weaker lock does not override a stronger one.
      await locks().createOrUpdateByScope(WIDGET, 'too', { level: 'CanNotDelete' });
      await locks().createOrUpdateAtResourceGroupLevel('locked', 'frozen', { level: 'CanNotDelete' });
      expect((await bench.call('PUT', `${WIDGET}?${WV}`, { body: widget })).status).toBe(200);
    });

    it('at the moment at which others delete it: either the lock is there and all of it stays, or both are gone', async () => {
      for (let round = 0; round < 8; round++) {
        const group = `${ROOT}/resourceGroups/race-${round}`;
        const path = `${group}/providers/Vendor.Test/widgets/one`;
        await bench.call('PUT', `${group}?${V}`, { body: { location: 'eastus' } });
        await bench.call('PUT', `${path}?${WV}`, { body: widget });
        const scope = round % 2 === 0 ? group : path;
        const lock = `${scope}/providers/Vendor.Authorization/locks/l?${LV}`;
        const [made, deleted] = await Promise.all([
          bench.call('PUT', lock, { body: { properties: { level: 'CanNotDelete' } } }),
          bench.call('DELETE', `${group}?${V}`),
        ]);
        await bench.jar.settled();
        const stays = (await bench.call('GET', `${path}?${WV}`)).status === 200;
        expect(stays).toBe(deleted.status === 409);
        if (stays) expect(made.status).toBe(201);
        const kept = (await bench.call('GET', `${ROOT}/providers/Vendor.Authorization/locks?${LV}`)).body.value;
        expect(kept.some(({ id }: { id: string }) => id.includes(`/race-${round}/`))).toBe(stays);
        if (stays) await bench.call('DELETE', lock);
      }
    });

    it('and finds the locks of a subscription, of a group and of a resource', async () => {
      await locks().createOrUpdateAtSubscriptionLevel('all', { level: 'CanNotDelete' });
      const names = async (list: AsyncIterable<{ name?: string }>) =>
        (await Array.fromAsync(list)).map((it) => it.name);
      expect(await names(locks().listAtSubscriptionLevel())).toEqual(['all', 'frozen', 'too']);
      expect(await names(locks().listAtResourceGroupLevel('locked'))).toEqual(['frozen', 'too']);
      expect(await names(locks().listByScope(WIDGET))).toEqual(['too']);
      expect(await names(locks().listByScope(WIDGET, { filter: 'atScope()' }))).toEqual(['all', 'frozen', 'too']);
      expect(await names(locks().listAtResourceGroupLevel('locked', { filter: 'atScope()' }))).toEqual([
        'all',
        'frozen',
      ]);
      await locks().deleteAtSubscriptionLevel('all');
      await locks().deleteAtResourceGroupLevel('locked', 'frozen');
      await locks().deleteByScope(WIDGET, 'too');
      await locks().deleteByScope(WIDGET, 'too');
      await groups().delete('locked');
    });
  },
  OPTIONS,
);

onAnyStore(
  'locks',
  (bench) => {
    const lockAt = (scope: string, name = 'l') => `${scope}/providers/Vendor.Authorization/locks/${name}?${LV}`;
    const put = (scope: string, level = 'CanNotDelete', more = {}, name = 'l') =>
      bench.call('PUT', lockAt(scope, name), { body: { properties: { level, ...more } } });
    const remove = (scope: string, name = 'l') => bench.call('DELETE', lockAt(scope, name));
    const make = async () => {
      await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'eastus' } });
      await bench.call('PUT', `${WIDGET}?${WV}`, { body: widget });
    };
    const topic = `${GROUP}/providers/Vendor.EventGrid/topics/locked-topic`;
    const TV = 'api-version=2021-12-01';

    it('answer as the real service does', async () => {
      await make();
      const lower = GROUP.replace('resourceGroups', 'resourcegroups');
      const made = await bench.call('PUT', lockAt(lower).replace('Vendor', 'Microsoft'), {
        body: { properties: { level: 'ReadOnly', notes: '' } },
      });
      expect(made.status).toBe(201);
      const expected = {
        properties: { level: 'ReadOnly', notes: '' },
        id: `${lower}/providers/Microsoft.Authorization/locks/l`,
        type: 'Microsoft.Authorization/locks',
        name: 'l',
      };
      expect(made.body).toEqual(expected);
      const again = await put(GROUP, 'CanNotDelete');
      expect({ status: again.status, properties: again.body.properties }).toEqual({
        status: 200,
        properties: { level: 'CanNotDelete' },
      });
      expect((await bench.call('GET', lockAt(GROUP, 'L'))).body.id).toBe(
        `${GROUP}/providers/Vendor.Authorization/locks/l`,
      );
      const newer = (await bench.call('GET', lockAt(GROUP).replace('2016-09-01', '2020-05-01'))).body;
      expect(newer.systemData).toMatchObject({ createdByType: 'User', lastModifiedBy: expect.any(String) });
      const gone = [await remove(GROUP), await remove(GROUP)];
      expect(gone.map(({ status, text }) => [status, text])).toEqual([
        [200, ''],
        [204, ''],
      ]);
      expect((await bench.call('GET', lockAt(GROUP))).body.error.code).toBe('LockNotFound');
    });

    it('of all services count for actions too, where they are for reading', async () => {
      await make();
      await bench.call('PUT', `${topic}?${TV}`, { body: { location: 'eastus' } });
      await put(topic, 'CanNotDelete');
      expect((await bench.call('POST', `${topic}/listKeys?${TV}`)).status).toBe(200);
      await put(topic, 'ReadOnly');
      expect(await bench.call('POST', `${topic}/listKeys?${TV}`)).toMatchObject({
        status: 409,
        body: {
          error: {
            code: 'ScopeLocked',
            message: expect.stringMatching(
              `^The scope '${topic}' cannot perform write operation because following scope\\(s\\) are locked: '${topic}'\\.`,
            ),
          },
        },
      });
      const tags = `${topic}/providers/Vendor.Resources/tags/default?${V}`;
      expect((await bench.call('PUT', tags, { body: { properties: { tags: {} } } })).status).toBe(409);
      await remove(topic);
    });

    it('of a child hold that child and its parents', async () => {
      await make();
      await bench.call('PUT', `${topic}?${TV}`, { body: { location: 'eastus' } });
      const child = `${topic}/providers/Vendor.EventGrid/eventSubscriptions/s`;
      expect((await put(child)).status).toBe(201);
      for (const path of [`${child}?${TV}`, `${topic}?${TV}`, `${GROUP}?${V}`]) {
        const reply = await bench.call('DELETE', path);
        expect(reply.status, path).toBe(409);
        expect(reply.body.error.message).toContain(`locked: '${child}'.`);
      }
      expect((await bench.call('DELETE', `${WIDGET}?${WV}`)).status).toBe(200);
      await remove(child);
    });

    it('are found behind escapes, other casing and the other prefix', async () => {
      await make();
      await put(WIDGET);
      const path = WIDGET.replace('Vendor', 'microsoft').replace('locked', 'LOCK%45D');
      expect((await bench.call('DELETE', `${path}?${WV}`)).status).toBe(409);
      await remove(WIDGET);
      expect((await bench.call('DELETE', `${path}?${WV}`)).status).toBe(200);
    });

    it('are shown in the casing of their write, that of the provider prefix included', async () => {
      await make();
      const lower = WIDGET.replace('Vendor', 'microsoft').replace('resourceGroups', 'resourcegroups');
      const at = `${lower}/providers/Microsoft.Authorization/locks`;
      const made = await bench.call('PUT', `${at}/cased?${LV}`, { body: { properties: { level: 'CanNotDelete' } } });
      expect(made.body.id).toBe(`${at}/cased`);
      const ids = async (scope: string, prefix: string) => {
        const { body } = await bench.call('GET', `${scope}/providers/${prefix}.Authorization/locks?${LV}`);
        return body.value.map(({ id }: { id: string }) => id);
      };
      expect(await ids(ROOT, 'Microsoft')).toEqual([`${at}/cased`]);
      expect(await ids(ROOT, 'Vendor')).toEqual([
        `${lower.replace('microsoft', 'vendor')}/providers/Vendor.Authorization/locks/cased`,
      ]);
      const refused = await bench.call('DELETE', `${lower}?${WV}`);
      expect(refused.body.error.message).toContain(`locked: '${lower}'.`);
      expect((await bench.call('DELETE', `${at}/cased?${LV}`)).status).toBe(200);
      const absent = await bench.call('GET', `${at}/cased?${LV}`);
      expect(absent.body.error.message).toContain(`at the scope '${lower}'`);
    });

    it('stop a subscription from being cancelled while there are any in it', async () => {
      await make();
      await put(WIDGET);
      const cancel = `${ROOT}/providers/Vendor.Subscription/cancel?api-version=2021-10-01&ignoreResourceCheck=true`;
      expect((await bench.call('POST', cancel)).body.error.code).toBe('ScopeLocked');
      await remove(WIDGET);
    });

    it('at one scope are 20 at most', async () => {
      await make();
      for (let i = 0; i < 20; i++) expect((await put(WIDGET, 'CanNotDelete', {}, `n${i}`)).status).toBe(201);
      expect((await put(WIDGET, 'CanNotDelete', {}, 'n20')).body.error.code).toBe('TooManyLocks');
      expect((await put(WIDGET, 'ReadOnly', {}, 'n19')).status).toBe(200);
      const listed = await bench.call('GET', `${GROUP}/providers/Vendor.Authorization/locks?${LV}&$top=15`);
      expect(listed.body.value).toHaveLength(15);
      expect((await bench.call('GET', listed.body.nextLink)).body.value).toHaveLength(5);
      for (let i = 0; i < 20; i++) expect((await remove(WIDGET, `n${i}`)).status).toBe(200);
      expect((await put(WIDGET)).status).toBe(201);
      await remove(WIDGET);
    });

    it('are made and removed by owners alone, and read by readers', async () => {
      await make();
      await put(WIDGET);
      const contributor = await bench.jar.token({ user: 'licensed' });
      const reader = await bench.jar.token({ user: 'no-job-queue' });
      expect((await bench.call('PUT', `${WIDGET}?${WV}`, { token: contributor, body: widget })).status).toBe(200);
      for (const token of [contributor, reader]) {
        const body = { properties: { level: 'ReadOnly' } };
        expect((await bench.call('PUT', lockAt(WIDGET), { token, body })).status).toBe(403);
        expect((await bench.call('DELETE', lockAt(WIDGET), { token })).status).toBe(403);
        expect((await bench.call('GET', lockAt(WIDGET), { token })).status).toBe(200);
      }
      // A caller without permission gets the error about roles rather than about locks.
      expect((await bench.call('DELETE', `${WIDGET}?${WV}`, { token: reader })).status).toBe(403);
      await remove(WIDGET);
    });

    it('leave a record when they refuse', async () => {
      await make();
      await put(WIDGET);
      await bench.call('DELETE', `${WIDGET}?${WV}`);
      const { value } = (
        await bench.call('GET', '/_jar/changes?$top=1&$orderby=cursor desc', { token: bench.jar.adminKey })
      ).body;
      expect(value[0]).toMatchObject({ outcome: 'Failed', data: { error: { code: 'ScopeLocked' } } });
      await remove(WIDGET);
    });

    describe('refuse', () => {
      const cases: [what: string, method: string, path: string, body: unknown, status: number, code: string][] = [
        ['no level', 'PUT', lockAt(WIDGET), { properties: {} }, 400, 'InvalidRequestContent'],
        ['another level', 'PUT', lockAt(WIDGET), { properties: { level: 'Frozen' } }, 400, 'InvalidLockLevel'],
        ['no level at all', 'PUT', lockAt(WIDGET), { properties: { level: 'NotSpecified' } }, 400, 'InvalidLockLevel'],
        [
          'notes of 513 characters',
          'PUT',
          lockAt(WIDGET),
          { properties: { level: 'ReadOnly', notes: 'x'.repeat(513) } },
          400,
          'InvalidLockNotes',
        ],
        [
          'a name with a colon',
          'PUT',
          lockAt(WIDGET, 'a%3Ab'),
          { properties: { level: 'ReadOnly' } },
          400,
          'InvalidResourceName',
        ],
        [
          'a name of 261 characters',
          'PUT',
          lockAt(WIDGET, 'x'.repeat(261)),
          { properties: { level: 'ReadOnly' } },
          400,
          'InvalidResourceName',
        ],
        [
          'a resource that is not there',
          'PUT',
          lockAt(`${WIDGET}2`),
          { properties: { level: 'ReadOnly' } },
          404,
          'ResourceNotFound',
        ],
        [
          'a group that is not there',
          'PUT',
          lockAt(`${GROUP}2`),
          { properties: { level: 'ReadOnly' } },
          404,
          'ResourceGroupNotFound',
        ],
        [
          'a management group',
          'PUT',
          lockAt('/providers/Vendor.Management/managementGroups/x'),
          { properties: { level: 'ReadOnly' } },
          400,
          'InvalidScope',
        ],
        [
          'another filter',
          'GET',
          `${GROUP}/providers/Vendor.Authorization/locks?${LV}&$filter=name%20eq%20'x'`,
          undefined,
          400,
          'InvalidFilterInQueryString',
        ],
        [
          'a version that was never published',
          'GET',
          lockAt(WIDGET).replace('2016-09-01', '2016-09-02'),
          undefined,
          400,
          'NoRegisteredProviderFound',
        ],
      ];
      it.each(cases)('%s', async (_what, method, path, body, status, code) => {
        await make();
        const reply = await bench.call(method, path, { body });
        expect({ status: reply.status, code: reply.body?.error?.code }).toEqual({ status, code });
        expect((await bench.call('GET', `${ROOT}/providers/Vendor.Authorization/locks?${LV}`)).body.value).toEqual([]);
      });
    });
  },
  OPTIONS,
);
