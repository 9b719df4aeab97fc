import { expect, it } from 'vitest';
import { MANAGEMENT } from '../../../src/kernel/arm/index.ts';
import type { Jar } from '../../../src/kernel/service/index.ts';
import { groupOperations, operationKey } from '../../../src/services/management-groups/collections.ts';
import { CREATE, DELETE, itemOf } from '../../../src/services/management-groups/work.ts';
import { SERVICES } from '../../../src/services.ts';
import { type Bench, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';
import { bodyOf, entities, group, idOf, makeGroups, namesIn, PROVIDER, TENANT, VERSION } from './groups.ts';

/** The `Jar` of the jar that was opened last. */
let inside: Jar;
const INSIDE = wholeService({
  name: 'inside',
  title: 'The inside of the jar',
  family: MANAGEMENT,
  mounts: [],
  routes: [],
  async open(jar) {
    inside = jar;
    return {};
  },
});

const MINUTE = 60_000;

/** Accepts an operation whose work is due in a minute, so that other requests can run first. */
async function accept(kind: 'create' | 'delete', name: string, parent?: string): Promise<void> {
  const key = operationKey(TENANT, kind, name);
  const caller = { objectId: '10000000-0000-4000-8000-000000000011', name: 'Ada', applicationId: '', kind: 'user' };
  const origin = {
    operationName: `Vendor.Management/managementGroups/${kind === 'create' ? 'write' : 'delete'}`,
    effect: kind === 'create' ? ('write' as const) : ('delete' as const),
    resourceUri: idOf(name),
    tenantId: TENANT,
    managementGroup: name,
    correlationId: '',
    caller,
    claims: {},
    httpRequest: { clientRequestId: '', clientIpAddress: '', method: 'PUT', url: '' },
  };
  const dueAt = inside.clock.now() + MINUTE;
  await inside.store.transact(async (tx) => {
    await tx.put(groupOperations, key, { tenantId: TENANT, name, by: caller.objectId, status: 'NotStarted' });
    const creation = { tenantId: TENANT, name, displayName: name, ...(parent && { parent }), origin };
    const item = kind === 'create' ? CREATE.at(dueAt, creation, itemOf(key)) : DELETE.at(dueAt, creation, itemOf(key));
    await tx.schedule(item);
  });
}

const poll = (bench: Bench, kind: 'create' | 'delete', name: string, status = true) => {
  const between = status ? '/asyncOperation/status' : '';
  return bench.call('GET', `${PROVIDER}/operationResults/${kind}${between}/managementGroups/${name}?${VERSION}`);
};

onBothStores(
  'operations on management groups',
  (bench) => {
    it('are polled while they wait, and say where to ask again', async () => {
      await makeGroups(bench, { base: undefined });
      await accept('create', 'later', 'base');
      for (const [isStatus, code] of [
        [true, 200],
        [false, 202],
      ] as const) {
        const { status, body, headers } = await poll(bench, 'create', 'later', isStatus);
        expect([status, body.status]).toEqual([code, 'NotStarted']);
        expect(headers.get('azure-asyncoperation')).toContain('/create/asyncOperation/status/managementGroups/later?');
        expect(headers.get('location')).toContain('/operationResults/create/managementGroups/later?');
        expect(headers.get('retry-after')).toBe('1');
      }
    });

    it('are polled by the group itself in versions before 2020-05-01', async () => {
      const version = 'api-version=2018-03-01-preview';
      const old = (method: string, path: string, body?: object) =>
        bench.call(method, `${PROVIDER}/${path}?${version}`, body && { body });
      const head = (name: string) => ({
        id: idOf(name),
        type: '/providers/Vendor.Management/managementGroups',
        name,
      });
      const begun = await old('PUT', 'managementGroups/elder', bodyOf('base'));
      expect(begun).toMatchObject({ status: 202, body: { ...head('elder'), status: 'NotStarted' } });
      expect(begun.headers.get('azure-asyncoperation')).toBeNull();
      expect(begun.headers.get('location')).toContain(`/operationResults/create/managementGroups/elder?${version}`);
      await bench.jar.settled();
      const ended = await old('GET', 'operationResults/create/managementGroups/elder');
      const parent = { id: idOf('base'), name: 'base', displayName: 'base' };
      expect(ended).toMatchObject({
        status: 200,
        body: { ...head('elder'), status: 'Succeeded', properties: { displayName: 'elder', details: { parent } } },
      });
      const read = await old('GET', 'managementGroups/elder');
      expect(read.body).toEqual({ ...head('elder'), properties: ended.body.properties });
      expect((await old('GET', 'managementGroups')).body.value).toContainEqual({
        ...head('elder'),
        properties: { tenantId: TENANT, displayName: 'elder' },
      });
      expect((await old('DELETE', 'managementGroups/elder')).status).toBe(202);
      await bench.jar.settled();
      const gone = await old('GET', 'operationResults/delete/managementGroups/elder');
      expect(gone).toMatchObject({ status: 200, body: { ...head('elder'), status: 'Succeeded' } });
      expect((await bench.call('GET', group('base'))).body.type).toBe('Vendor.Management/managementGroups');
    });

    it('keep others from writing the same group', async () => {
      for (const [method, body] of [
        ['PUT', {}],
        ['DELETE', undefined],
      ] as const) {
        const reply = await bench.call(method, group('later'), body === undefined ? {} : { body });
        expect([reply.status, reply.body.error.code]).toEqual([409, 'Conflict']);
      }
      const name = { name: 'later', type: 'Vendor.Management/managementGroups' };
      const check = await bench.call('POST', `${PROVIDER}/checkNameAvailability?${VERSION}`, { body: name });
      expect(check.body).toMatchObject({ nameAvailable: false, reason: 'AlreadyExists' });
      await bench.jar.clock.advance('1m');
      expect((await bench.call('GET', group('later'))).status).toBe(200);
      await accept('delete', 'later');
      const patch = await bench.call('PATCH', group('later'), { body: {} });
      expect([patch.status, patch.body.error.code]).toEqual([409, 'Conflict']);
      expect((await bench.call('DELETE', group('later'))).status).toBe(202);
      await bench.jar.clock.advance('1m');
      expect((await bench.call('GET', group('later'))).status).toBe(404);
    });

    it('fail when the parent of a group is gone by then', async () => {
      await accept('create', 'orphan', 'base');
      await bench.call('DELETE', group('base'));
      await bench.jar.settled();
      await bench.jar.clock.advance('1m');
      const { status, body } = await poll(bench, 'create', 'orphan');
      expect([status, body.status, body.error.code]).toEqual([200, 'Failed', 'NotFound']);
      const result = await poll(bench, 'create', 'orphan', false);
      expect([result.status, result.body.error.code]).toEqual([404, 'NotFound']);
      expect((await bench.call('GET', group('orphan'))).status).toBe(404);
    });

    it('fail when something was put into a group that is to be deleted', async () => {
      await makeGroups(bench, { busy: undefined });
      await accept('delete', 'busy');
      await bench.call('PUT', group('busy', `/subscriptions/${SUBSCRIPTION}`));
      await bench.jar.clock.advance('1m');
      expect((await poll(bench, 'delete', 'busy')).body).toMatchObject({
        status: 'Failed',
        error: { code: 'BadRequest' },
      });
      expect((await bench.call('GET', group('busy', `/subscriptions/${SUBSCRIPTION}`))).status).toBe(200);
    });

    it('of many who want the same name at once make one group', async () => {
      const put = () => bench.call('PUT', group('wanted'), { body: {} });
      const statuses = (await Promise.all(Array.from({ length: 12 }, put))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 202)).toHaveLength(1);
      expect(statuses.every((status) => [200, 202, 409].includes(status))).toBe(true);
      await bench.jar.settled();
      expect(namesIn(await entities(bench, 'groupName=wanted'))).toEqual(['wanted']);
    });

    it('that contradict each other leave a whole tree', async () => {
      for (let round = 0; round < 5; round++) {
        const [above, below] = [`above-${round}`, `below-${round}`];
        await makeGroups(bench, { [above]: undefined });
        await Promise.all([
          bench.call('PUT', group(below), { body: bodyOf(above) }),
          bench.call('DELETE', group(above)),
          bench.call('PUT', group(above, `/subscriptions/${SUBSCRIPTION}`)),
        ]);
        await bench.jar.settled();
        const { body } = await entities(bench, '$top=1000');
        const names: string[] = body.value.map(({ name }: { name: string }) => name);
        // Whatever the outcome is, everything is reachable from the root.
        expect(names).toContain(SUBSCRIPTION);
        const found = await bench.call('GET', group(below));
        expect(names.includes(below)).toBe(found.status === 200);
      }
    });
  },
  { services: [...SERVICES, INSIDE] },
);
