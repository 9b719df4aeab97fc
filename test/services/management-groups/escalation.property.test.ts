import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { seedFile } from '../subscriptions/support.ts';
import { bodyOf, group, idOf, makeGroups, PROVIDER, TENANT } from './groups.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 500 : 20;
const MOST_STEPS = 12;

const seed = seedFile({
  resources: {
    subscriptions: [{ subscriptionId: SUBSCRIPTION, tenantId: TENANT, displayName: 'One' }],
    roles: [{ principalId: '10000000-0000-4000-8000-000000000011', scope: '/', role: 'Owner' }],
  },
});

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Names of Ada's groups and names that anyone can use. */
const names = fc.constantFrom('ada', 'ada-inner', 'mine', 'mine-too', TENANT);
const member = (name: string): string => group(name, `/subscriptions/${SUBSCRIPTION}`);
const ALIAS = '/providers/Vendor.Subscription/aliases';
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    method: fc.constant('PUT'),
    path: names.map((name) => group(name)),
    body: names.map((it) => bodyOf(it, 'Taken')),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    path: names.map((name) => group(name)),
    body: names.map((it) => ({ parentGroupId: idOf(it) })),
  }),
  fc.record({ method: fc.constantFrom('PUT', 'DELETE'), path: names.map(member) }),
  fc.record({ method: fc.constant('DELETE'), path: names.map((name) => group(name)) }),
  fc.record({
    method: fc.constantFrom('PUT', 'PATCH'),
    path: fc.constant(group(TENANT, '/settings/default')),
    body: names.map((it) => ({ properties: { defaultManagementGroup: idOf(it) } })),
  }),
  fc.record({
    method: fc.constant('PUT'),
    path: names.map((name) => `${ALIAS}/${name}?api-version=2021-10-01`),
    body: names.map((it) => ({
      properties: { displayName: 'x', workload: 'DevTest', additionalProperties: { managementGroupId: idOf(it) } },
    })),
  }),
  fc.record({
    method: fc.constant('PUT'),
    path: fc.constant(`${ALIAS}/theirs?api-version=2021-10-01`),
    body: fc.constant({ properties: { displayName: 'x', subscriptionId: SUBSCRIPTION } }),
  }),
);

onAnyStore(
  'a caller without roles',
  (bench) => {
    beforeEach(() => bench.jar.reset());

    it('gets at nothing of others, whatever is created, moved and deleted', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { maxLength: MOST_STEPS }), async (attack) => {
          await bench.jar.reset();
          await makeGroups(bench, { ada: undefined, 'ada-inner': 'ada' });
          await bench.call('PUT', member('ada'));
          const { body: before } = await bench.call('GET', group('ada', '', '$expand=children&$recurse=true'));
          const token = await bench.jar.token({ user: 'licensed' });
          for (const { method, path, body } of attack) {
            const reply = await bench.call(method, path, { token, body });
            expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(500);
            await bench.jar.clock.advance('1s');
          }
          const { body: after } = await bench.call('GET', group('ada', '', '$expand=children&$recurse=true'));
          expect(after).toEqual(before);
          const read = await bench.call('GET', `/subscriptions/${SUBSCRIPTION}?api-version=2022-12-01`, { token });
          expect(read.status).toBe(403);
          const seen = await bench.call('POST', `${PROVIDER}/getEntities?api-version=2021-04-01&$view=Audit`, {
            token,
          });
          const known = seen.body.value.map(({ name }: { name: string }) => name);
          for (const name of ['ada', 'ada-inner', SUBSCRIPTION]) expect(known).not.toContain(name);
        }),
        { numRuns: RUNS },
      );
    });
  },
  { seed },
);
