import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kernel/http/errors.ts';
import { SERVICES } from '../../../src/services.ts';
import { readChanges } from '../../support/changes.ts';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';
import { WIDGET_PARTS } from './widgets.ts';

const V = 'api-version=2025-04-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;

/** A provider that refuses to delete a resource called `stuck`. */
const STUBBORN = wholeService({
  ...WIDGET_PARTS,
  resourceTypes: (WIDGET_PARTS.resourceTypes ?? []).map((type) => ({
    ...type,
    async onDelete(_tx, resource) {
      if (resource.name === 'stuck') throw new ApiError(409, 'CannotDeleteResource', 'The widget is stuck.');
    },
  })),
});

onBothStores(
  'long-running operations and change records',
  (bench) => {
    const put = (name: string) => bench.call('PUT', `${GROUPS}/${name}?${V}`, { body: { location: 'eastus' } });
    const putWidget = (group: string, name: string) =>
      bench.call('PUT', `${GROUPS}/${group}/providers/Vendor.Test/widgets/${name}?api-version=2024-01-01`, {
        body: { location: 'eastus', properties: { size: 1 } },
      });

    describe('deleting a group', () => {
      it('answers 202 with an address to poll, which answers 200 when it is done', async () => {
        await put('gone');
        const reply = await bench.call('DELETE', `${GROUPS}/gone?${V}`);
        expect(reply.status).toBe(202);
        expect(reply.text).toBe('');
        expect(reply.headers.get('retry-after')).toBe('1');
        const location = reply.headers.get('location') as string;
        expect(location).toContain(`${bench.jar.url}/subscriptions/${SUBSCRIPTION}/operationresults/`);
        await bench.jar.settled();
        expect((await bench.call('GET', location)).status).toBe(200);
        const id = location.split('/').at(-1)?.split('?')[0];
        const status = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Resources/locations/eastus/operations/${id}?${V}`;
        expect((await bench.call('GET', status)).body).toMatchObject({
          name: id,
          status: 'Succeeded',
          percentComplete: 100,
        });
        expect((await bench.call('GET', `${GROUPS}/gone?${V}`)).status).toBe(404);
      });

      it('of another subscription or tenant cannot be asked about', async () => {
        await put('private');
        const location = (await bench.call('DELETE', `${GROUPS}/private?${V}`)).headers.get('location') as string;
        const token = await bench.jar.token({ user: 'other' });
        expect((await bench.call('GET', location, { token })).status).toBe(401);
        const moved = location.replace(SUBSCRIPTION, '20000000-0000-4000-8000-0000000000f1');
        expect((await bench.call('GET', moved, { token })).body.error.code).toBe('OperationNotFound');
      });

      it('with more resources than one step takes removes all of them', async () => {
        await put('full');
        const made = await Promise.all(Array.from({ length: 230 }, (_, i) => putWidget('full', `w-${i}`)));
        expect(made.every(({ status }) => status === 201)).toBe(true);
        await bench.call('DELETE', `${GROUPS}/full?${V}`);
        await bench.jar.settled();
        const left = await bench.call(
          'GET',
          `/subscriptions/${SUBSCRIPTION}/resources?${V}&$filter=resourceType eq 'Vendor.Test/widgets'`,
        );
        expect(left.body.value).toEqual([]);
      });

      it('never leaves a resource behind that was put at the same time', async () => {
        await put('race');
        const puts = Array.from({ length: 40 }, (_, i) => putWidget('race', `w-${i}`));
        const deletion = bench.call('DELETE', `${GROUPS}/race?${V}`);
        const statuses = (await Promise.all(puts)).map(({ status }) => status);
        expect((await deletion).status).toBe(202);
        await bench.jar.settled();
        expect(statuses.every((status) => [201, 404, 409].includes(status))).toBe(true);
        const left = await bench.call('GET', `/subscriptions/${SUBSCRIPTION}/resources?${V}`);
        expect(left.body.value).toEqual([]);
      });

      it('a second DELETE joins the first, which does not delete a group that was recreated since', async () => {
        await put('twice');
        const replies = await Promise.all([1, 2, 3, 4].map(() => bench.call('DELETE', `${GROUPS}/twice?${V}`)));
        // A request after the end of the deletion finds no group.
        const accepted = replies.filter(({ status }) => status !== 404);
        expect(new Set(accepted.map(({ headers }) => headers.get('location'))).size).toBe(1);
        let polled = await bench.call('GET', replies[0]?.headers.get('location') as string);
        while (polled.status === 202) polled = await bench.call('GET', replies[0]?.headers.get('location') as string);
        expect((await put('twice')).status).toBe(201);
        await bench.jar.settled();
        expect((await bench.call('GET', `${GROUPS}/twice?${V}`)).status).toBe(200);
        await bench.call('DELETE', `${GROUPS}/twice?${V}`);
        await bench.jar.settled();
      });

      it('that a provider refuses fails with its reason and leaves the group usable', async () => {
        await put('held');
        await putWidget('held', 'stuck');
        const location = (await bench.call('DELETE', `${GROUPS}/held?${V}`)).headers.get('location') as string;
        await bench.jar.settled();
        expect(await bench.call('GET', location)).toMatchObject({
          status: 409,
          body: { error: { code: 'CannotDeleteResource' } },
        });
        const group = await bench.call('GET', `${GROUPS}/held?${V}`);
        expect(group.body.properties.provisioningState).toBe('Succeeded');
      });

      it('is forgotten a day after it ended', async () => {
        await put('old');
        const location = (await bench.call('DELETE', `${GROUPS}/old?${V}`)).headers.get('location') as string;
        await bench.jar.settled();
        await bench.jar.clock.advance('23h');
        expect((await bench.call('GET', location)).status).toBe(200);
        await bench.jar.clock.advance('2h');
        expect((await bench.call('GET', location)).body.error.code).toBe('OperationNotFound');
      });
    });

    describe('every write, delete and action leaves a change record', () => {
      it('of who did what when, and how it ended', async () => {
        await bench.jar.reset();
        const headers = { 'x-ms-correlation-request-id': 'story-1' };
        await bench.call('PUT', `${GROUPS}/audited?${V}`, { body: { location: 'eastus' }, headers });
        await bench.call('PUT', `${GROUPS}/audited?${V}`, { body: { location: 'westus' } });
        await bench.call('GET', `${GROUPS}/audited?${V}`);
        await bench.call('POST', `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Test/register?${V}`);
        await putWidget('audited', 'w');
        await bench.call('DELETE', `${GROUPS}/audited?${V}`);
        await bench.jar.settled();
        const changes = await readChanges(bench.jar, (seen) => seen.length >= 6);
        const summary = changes.map(({ kind, outcome, subject, data }) => [
          kind,
          outcome,
          (data as { operationName: string }).operationName,
          subject.split('/').at(-1),
        ]);
        expect(summary).toEqual([
          ['write', 'Succeeded', 'Vendor.Resources/subscriptions/resourceGroups/write', 'audited'],
          ['write', 'Failed', 'Vendor.Resources/subscriptions/resourceGroups/write', 'audited'],
          ['action', 'Succeeded', 'Vendor.Resources/subscriptions/providers/register/action', 'register'],
          ['write', 'Succeeded', 'Vendor.Test/widgets/write', 'w'],
          ['delete', 'Succeeded', 'Vendor.Test/widgets/delete', 'w'],
          ['delete', 'Succeeded', 'Vendor.Resources/subscriptions/resourceGroups/delete', 'audited'],
        ]);
        expect(changes[0]).toMatchObject({
          at: bench.jar.clock.now().getTime(),
          data: {
            correlationId: 'story-1',
            caller: { name: 'admin@vendor.example', kind: 'user' },
            httpRequest: { method: 'PUT' },
            status: 'Succeeded',
          },
        });
        expect(changes[1]?.data).toMatchObject({ error: { code: 'InvalidResourceGroupLocation' } });
      });

      it('and none of an unauthenticated try, nor anything secret', async () => {
        const before = await readChanges(bench.jar, (seen) => seen.length >= 6);
        await bench.call('PUT', `${GROUPS}/x?${V}`, { body: { location: 'eastus' }, token: null });
        await put('after');
        const changes = await readChanges(bench.jar, (seen) => seen.length > before.length);
        expect(changes).toHaveLength(before.length + 1);
        expect(JSON.stringify(changes)).not.toContain('eyJ');
      });
    });
  },
  { services: [...SERVICES, STUBBORN] },
);
