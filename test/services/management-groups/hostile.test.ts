import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { seedFile } from '../subscriptions/support.ts';
import { bodyOf, entities, group, idOf, makeGroups, namesIn, TENANT } from './groups.ts';

const NOA = '10000000-0000-4000-8000-000000000014';

const seed = seedFile({
  resources: {
    subscriptions: [{ subscriptionId: SUBSCRIPTION, tenantId: TENANT, displayName: 'One' }],
    roles: [
      { principalId: '10000000-0000-4000-8000-000000000011', scope: '/', role: 'Owner' },
      { principalId: NOA, scope: idOf('kept'), role: 'Contributor' },
    ],
  },
});

onAnyStore(
  'management groups and hostile callers',
  (bench) => {
    const as = async (user: string) => ({ token: await bench.jar.token({ user }) });

    it("a request that started before the group existed does not change another caller's group", async () => {
      const { token } = await as('licensed');
      const body = JSON.stringify(bodyOf(undefined, 'Taken over'));
      const late = request(bench.jar.url + group('victim'), {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      });
      const answered = once(late, 'response');
      late.write(body.slice(0, 1));
      await makeGroups(bench, { victim: undefined });
      late.end(body.slice(1));
      const [answer] = (await answered) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(403);
      expect((await bench.call('GET', group('victim'))).body.properties.displayName).toBe('victim');
    });

    it('the deletion of a group leaves the roles that its creator had before', async () => {
      const noa = await as('no-job-queue');
      await makeGroups(bench, { kept: undefined }, noa);
      await bench.call('DELETE', group('kept'), noa);
      await bench.jar.settled();
      await makeGroups(bench, { kept: undefined });
      const renamed = await bench.call('PATCH', group('kept'), { ...noa, body: { displayName: 'Kept' } });
      expect(renamed.status).toBe(200);
    });

    it('entities come in the order of the tree, whatever their names are', async () => {
      await makeGroups(bench, { o: undefined, 'o-1': undefined, 'o(1)': undefined, 'o.1': undefined, 'below-o': 'o' });
      const names = namesIn(await entities(bench, "$filter=startswith(name,'o') or name eq 'below-o'"));
      expect(names).toEqual(['o', 'below-o', 'o(1)', 'o-1', 'o.1']);
    });

    it('a root group that was renamed takes none of the quota', async () => {
      await bench.jar.reset();
      await bench.call('PATCH', group(TENANT), { body: { displayName: 'Top' } });
      const limit = { name: 'management-groups.groups', limit: 1 };
      await bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: limit });
      await makeGroups(bench, { only: undefined });
      expect((await bench.call('PUT', group('more'), { body: {} })).status).toBe(409);
    });
  },
  { seed },
);
