import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJar } from '../../../../src/jar/index.ts';
import type { ResourceMove } from '../../../../src/kernel/arm/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import type { Service } from '../../../../src/kernel/service/index.ts';
import { SERVICES } from '../../../../src/services.ts';
import { type CallOptions, OTHER_SUBSCRIPTION, onBothStores, type Reply, SUBSCRIPTION } from '../../../support/jars.ts';
import { QuickClient } from '../../../support/quick-client.ts';
import { WIDGET_PARTS, WIDGETS } from '../widgets.ts';

const V = 'api-version=2025-04-01';
const groupId = (group: string, subscription = SUBSCRIPTION): string =>
  `/subscriptions/${subscription}/resourceGroups/${group}`;
const WORKSPACE = 'Vendor.MachineLearningServices/workspaces';
const ACCOUNT = 'Vendor.Storage/storageAccounts';

type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

const toolsOf = (call: Call) => ({
  group: (id: string) => call('PUT', `${id}?${V}`, { body: { location: 'eastus' } }),
  put: async (id: string, version: string, body: object = { location: 'eastus' }) => {
    const reply = await call('PUT', `${id}?api-version=${version}`, { body });
    expect(reply.status, reply.text).toBeLessThan(202);
  },
  status: async (id: string, version: string, method = 'HEAD') =>
    (await call(method, `${id}?api-version=${version}`)).status,
  move: (from: string, to: string, resources: readonly string[], way = 'moveResources') =>
    call('POST', `${from}/${way}?${V}`, { body: { resources, targetResourceGroup: to } }),
});

onBothStores(
  'moves of resources',
  (bench) => {
    const { group, put, status, move } = toolsOf(bench.call.bind(bench));
    const end = async (accepted: Reply): Promise<Reply> => {
      expect(accepted.status, accepted.text).toBe(202);
      expect(accepted.headers.get('retry-after')).toBe('1');
      let reply = await bench.call('GET', accepted.headers.get('location') as string);
      while (reply.status === 202) reply = await bench.call('GET', accepted.headers.get('location') as string);
      return reply;
    };
    const details = ({ body }: Reply) => body.error.details?.map(({ code }: { code: string }) => code);

    it('end with 204, and both groups are open again', async () => {
      for (const name of ['a', 'b']) await group(groupId(name));
      const from = `${groupId('a')}/providers/${WORKSPACE}/learn`;
      await put(from, '2024-04-01');
      const ended = await end(await move(groupId('A'), groupId('B').toUpperCase(), [`${from.toUpperCase()}/`]));
      expect([ended.status, ended.text]).toEqual([204, '']);
      expect(await status(from, '2024-04-01')).toBe(404);
      const to = `${groupId('b')}/providers/${WORKSPACE}/learn`;
      const moved = await bench.call('GET', `${to}?api-version=2024-04-01`);
      expect(moved.body).toMatchObject({ id: to, name: 'learn', location: 'eastus' });
      await put(from, '2024-04-01');
      expect(await status(to, '2024-04-01', 'DELETE')).toBe(200);
    });

    it('are refused with a reason for each resource, and move none of them', async () => {
      for (const name of ['c', 'd', 'e']) await group(groupId(name));
      const own = `${groupId('c')}/providers`;
      const bus = `${own}/Vendor.EventHub/namespaces/busbus`;
      await put(`${own}/${WORKSPACE}/learn`, '2024-04-01');
      await put(`${groupId('d')}/providers/${WORKSPACE}/learn`, '2024-04-01');
      await put(`${groupId('e')}/providers/${WORKSPACE}/elsewhere`, '2024-04-01');
      await put(bus, '2024-01-01');
      await put(`${bus}/eventhubs/hub`, '2024-01-01', {});
      await put(`${own}/Vendor.Network/privateEndpoints/fixed`, '2024-05-01');
      await put(`${own}/Vendor.Test/widgets/fixed`, '2024-01-01', { location: 'eastus', properties: { size: 1 } });
      const resources = [
        `${own}/${WORKSPACE}/learn`,
        `${own}/${WORKSPACE}/none`,
        `${groupId('e')}/providers/${WORKSPACE}/elsewhere`,
        `${bus}/eventhubs/hub`,
        `${own}/Vendor.Network/privateEndpoints/fixed`,
        `${own}/Vendor.Test/widgets/fixed`,
        'nonsense',
        bus,
      ];
      const expected = [
        'ResourceAlreadyExistsInTarget',
        'ResourceToMoveNotFound',
        'ResourcesNotInSourceGroup',
        'ResourceMoveChildNotSupported',
        'ResourceMoveNotSupported',
        'ResourceMoveNotSupported',
        'ResourcesNotInSourceGroup',
      ];
      const refused = await move(groupId('c'), groupId('d'), resources);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'ResourceMoveFailed']);
      expect(details(refused)).toEqual(expected);
      const invalid = await end(await move(groupId('c'), groupId('d'), resources, 'validateMoveResources'));
      expect([invalid.status, invalid.body.error.code]).toEqual([409, 'ResourceMoveValidationFailed']);
      expect(details(invalid)).toEqual(expected);
      expect(await status(bus, '2024-01-01')).toBe(204);
      expect((await end(await move(groupId('c'), groupId('d'), [bus], 'validateMoveResources'))).status).toBe(204);
      expect(await status(bus, '2024-01-01')).toBe(204);
    });

    it('stop at locks for reading, and pass those against deletion', async () => {
      for (const name of ['held', 'free']) await group(groupId(name));
      const from = `${groupId('held')}/providers/${WORKSPACE}/learn`;
      await put(from, '2024-04-01');
      const LOCKS = 'api-version=2016-09-01';
      const at = (scope: string) => `${scope}/providers/Vendor.Authorization/locks/keep?${LOCKS}`;
      const lock = (scope: string, level: string) => bench.call('PUT', at(scope), { body: { properties: { level } } });
      const unlock = (scope: string) => bench.call('DELETE', at(scope));

      for (const scope of [groupId('held'), groupId('free')]) {
        await lock(scope, 'ReadOnly');
        for (const way of ['moveResources', 'validateMoveResources']) {
          const refused = await move(groupId('held'), groupId('free'), [from], way);
          expect([refused.status, refused.body.error.code]).toEqual([409, 'ScopeLocked']);
          expect(refused.body.error.message).toContain(`locked: '${scope}'.`);
        }
        await unlock(scope);
      }
      await lock(from, 'ReadOnly');
      const refused = await move(groupId('held'), groupId('free'), [from]);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'ResourceMoveFailed']);
      expect(details(refused)).toEqual(['ScopeLocked']);
      expect(refused.body.error.details[0].message).toContain(`locked: '${from}'.`);
      const validated = await end(await move(groupId('held'), groupId('free'), [from], 'validateMoveResources'));
      expect([validated.status, details(validated)]).toEqual([409, ['ScopeLocked']]);

      for (const scope of [from, groupId('held'), groupId('free')]) await lock(scope, 'CanNotDelete');
      expect((await end(await move(groupId('held'), groupId('free'), [from]))).status).toBe(204);
      // The lock of the group stays; the lock of the resource was deleted with its scope.
      const { body } = await bench.call('GET', `${groupId('held')}/providers/Vendor.Authorization/locks?${LOCKS}`);
      expect(body.value).toMatchObject([{ id: at(groupId('held')).split('?')[0] }]);
      for (const scope of [from, groupId('held'), groupId('free')]) await unlock(scope);
    });

    it('need a target that is there, is another, and may be written to', async () => {
      await group(groupId('f'));
      await group(groupId('g'));
      const from = `${groupId('f')}/providers/${WORKSPACE}/learn`;
      await put(from, '2024-04-01');
      const table: readonly (readonly [string, string, string])[] = [
        ['itself', groupId('F'), '400 MoveTargetIsSource'],
        ['a group that is not there', groupId('absent'), '404 ResourceGroupNotFound'],
        ['no group', from, '400 InvalidTargetResourceGroup'],
        ['a group of another tenant', groupId('f', OTHER_SUBSCRIPTION), '404 SubscriptionNotFound'],
        ['a subscription that is not there', groupId('f', crypto.randomUUID()), '404 SubscriptionNotFound'],
      ];
      for (const [what, target, expected] of table) {
        const reply = await move(groupId('f'), target, [from]);
        expect([what, `${reply.status} ${reply.body.error.code}`]).toEqual([what, expected]);
      }
      for (const body of [{}, { resources: [], targetResourceGroup: groupId('g') }, { resources: [from] }])
        expect((await bench.call('POST', `${groupId('f')}/moveResources?${V}`, { body })).status).toBe(400);
      const token = await bench.jar.token({ user: 'no-job-queue' });
      const body = { resources: [from], targetResourceGroup: groupId('g') };
      expect((await bench.call('POST', `${groupId('f')}/moveResources?${V}`, { body, token })).status).toBe(403);
      expect((await bench.call('POST', `${groupId('none')}/moveResources?${V}`, { body })).status).toBe(404);
    });

    it('to another subscription count there, and bring the children along', async () => {
      const alias = '/providers/Vendor.Subscription/aliases/second?api-version=2021-10-01';
      const billingScope = '/providers/Microsoft.Billing/billingAccounts/acme/billingProfiles/main/invoiceSections/web';
      const made = await bench.call('PUT', alias, {
        body: { properties: { displayName: 'Second', workload: 'Production', billingScope } },
      });
      expect(made.status, made.text).toBe(201);
      await bench.jar.clock.advance('1m');
      const second = made.body.properties.subscriptionId as string;
      await group(groupId('h'));
      expect((await group(groupId('h', second))).status).toBe(201);
      const from = `${groupId('h')}/providers/${ACCOUNT}/counted1`;
      const to = `${groupId('h', second)}/providers/${ACCOUNT}/counted1`;
      await put(from, '2023-05-01');
      await put(`${from}/queueServices/default/queues/jobs`, '2023-05-01', { properties: { a: 1 } });
      const used = async () => {
        const { body } = await bench.call('GET', '/_jar/limits?name=management.storage-accounts', {
          token: bench.jar.adminKey,
        });
        return body.value[0].use.map(({ scope }: { scope: object }) => JSON.stringify(scope).includes(second));
      };
      expect(await used()).toEqual([false]);
      expect((await end(await move(groupId('h'), groupId('h', second), [from]))).status).toBe(204);
      expect(await used()).toEqual([true]);
      const queue = await bench.call('GET', `${to}/queueServices/default/queues/jobs?api-version=2023-05-01`);
      expect(queue.body).toMatchObject({ id: `${to}/queueServices/default/queues/jobs`, properties: { a: 1 } });
      expect(await status(from, '2023-05-01')).toBe(404);
    });
  },
  { services: [...SERVICES, WIDGETS] },
);

it('a move goes on after a crash, and until its end nobody writes to its groups', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-moves-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const crashed = { is: true };
  const seen: ResourceMove[] = [];
  const FOLLOWER: Service = {
    ...WIDGETS,
    movesWithResources: true,
    async open(jar) {
      const onMove = async (_tx: unknown, move: ResourceMove) => {
        if (crashed.is) throw new Error('the plug was pulled');
        seen.push(move);
      };
      return { ...(await WIDGETS.open(jar)), onMove };
    },
  };
  expect(WIDGET_PARTS.name).toBe(FOLLOWER.name);
  const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'silent', clock: 'virtual' };
  const config = loadConfig({ flags, env: {}, cwd: folder });
  const client = new QuickClient();
  onTestFinished(() => client.close());
  const begin = async () => {
    const jar = await openJar({ config, services: [...SERVICES, FOLLOWER] });
    const call: Call = async (method, path, { body } = {}) => {
      const admin = { authorization: `Bearer ${jar.adminKey}` };
      const made = await client.ask(`${jar.url}/_jar/tokens`, { method: 'POST', headers: admin, body: null }, '');
      const headers = { authorization: `Bearer ${made.body.access_token}`, 'content-type': 'application/json' };
      return client.ask(
        jar.url + path,
        { method, headers, body: body === undefined ? null : JSON.stringify(body) },
        '',
      );
    };
    return { jar, call, ...toolsOf(call) };
  };
  const before = await begin();
  for (const name of ['from', 'to']) await before.group(groupId(name));
  const bus = `${groupId('from')}/providers/Vendor.ServiceBus/namespaces/busbus`;
  const version = '2024-01-01';
  await before.put(bus, version);
  await before.put(`${bus}/queues/q`, version, {});
  expect((await before.move(groupId('from'), groupId('to'), [bus])).status).toBe(202);
  for (const [method, path] of [
    ['PUT', `${bus}/queues/new`],
    ['DELETE', bus],
    ['PATCH', bus],
    ['PUT', `${groupId('to')}/providers/Vendor.ServiceBus/namespaces/other`],
  ] as const) {
    const reply = await before.call(method, `${path}?api-version=${version}`, { body: { location: 'eastus' } });
    expect([method, reply.status, reply.body.error?.code]).toEqual([method, 409, 'ResourceGroupBeingMoved']);
  }
  expect((await before.call('DELETE', `${groupId('to')}?${V}`)).status).toBe(409);
  expect((await before.move(groupId('to'), groupId('from'), [bus])).body.error.code).toBe('ResourceGroupBeingMoved');
  expect(await before.status(`${bus}/queues/q`, version)).toBe(204);
  await before.jar.close();

  crashed.is = false;
  const after = await begin();
  onTestFinished(() => after.jar.close());
  await after.jar.advance('1h');
  expect(await after.status(`${bus}/queues/q`, version)).toBe(404);
  expect(await after.status(bus.replace('/from/', '/to/'), version)).toBe(204);
  expect(await after.status(`${bus.replace('/from/', '/to/')}/queues/q`, version)).toBe(204);
  expect(seen.map(({ from }) => from.type)).toContain('Vendor.ServiceBus/namespaces/queues');
  expect((await after.call('DELETE', `${groupId('to')}?${V}`)).status).toBe(202);
});
