import { expect, it } from 'vitest';
import type { Role, Subscription } from '../../../src/kernel/arm/collections.ts';
import { authorize } from '../../../src/kernel/arm/gateway.ts';
import { type ManagementGroup, managementGroupIn } from '../../../src/kernel/arm/hierarchy.ts';
import type { ArmCall } from '../../../src/kernel/arm/route.ts';

const SUBSCRIPTION = { subscriptionId: 's', tenantId: 't', managementGroup: 'leaf' } as Subscription;

const GROUPS: Readonly<Record<string, Partial<ManagementGroup>>> = {
  't/leaf': { name: 'Leaf', parent: 'top' },
  't/top': { name: 'Top' },
};

/** A call of a principal with one role, and the documents that the check reads besides the roles. */
function callWith(role: Role, scope: string, effect = 'write'): { call: ArmCall; reads: string[] } {
  const reads: string[] = [];
  const peek = (collection: { name: string }, key: string) => {
    if (collection.name === 'arm.roles') return { value: { assignments: [{ scope, role }] } };
    reads.push(key);
    const value = GROUPS[key];
    return value && { value };
  };
  const store = { peek, cached: async () => undefined, get: async () => undefined };
  const call = {
    caller: { objectId: 'somebody', name: 'Somebody', tenantId: 't' },
    path: '/subscriptions/s/resourceGroups/g',
    params: {},
    route: { traits: { arm: { effect, action: 'x/write', isPoll: false } } },
    jar: { store, config: { namespace: ['Microsoft'] } },
  };
  return { call: call as never, reads };
}

it.each(['/', '/subscriptions/s', '/subscriptions/S/resourceGroups/g'])(
  'a role at %s is enough at once, and nothing of management groups is read',
  (scope) => {
    const { call, reads } = callWith('Contributor', scope);
    expect(authorize(call, SUBSCRIPTION)).toBeUndefined();
    expect(reads).toEqual([]);
  },
);

it.each([
  ['Contributor', '/providers/Vendor.Management/managementGroups/leaf', 'write', true],
  ['Contributor', '/providers/Microsoft.Management/managementGroups/TOP', 'write', true],
  ['Owner', '/providers/Vendor.Management/managementGroups/t', 'delete', true],
  ['Reader', '/providers/Vendor.Management/managementGroups/top', 'read', true],
  ['Reader', '/providers/Vendor.Management/managementGroups/top', 'write', false],
  ['Owner', '/providers/Vendor.Management/managementGroups/aside', 'write', false],
  ['Owner', '/providers/Vendor.Other/managementGroups/top', 'write', false],
] as const)('%s at %s may %s in a subscription below top and leaf: %s', async (role, scope, effect, allowed) => {
  const { call } = callWith(role, scope, effect);
  const outcome = Promise.resolve(authorize(call, SUBSCRIPTION)).then(
    () => undefined,
    ({ code }) => code,
  );
  expect(await outcome).toBe(allowed ? undefined : 'AuthorizationFailed');
});

it('callers without a role at a management group are rejected without reading groups', async () => {
  const { call, reads } = callWith('Owner', '/subscriptions/another');
  await expect(authorize(call, SUBSCRIPTION)).rejects.toMatchObject({ code: 'AuthorizationFailed' });
  expect(reads).toEqual([]);
});

it.each([
  ['/providers/Vendor.Management/managementGroups/a', 'a'],
  ['/providers/microsoft.management/MANAGEMENTGROUPS/A', 'A'],
  ['/providers/Vendor.Management/managementGroups', undefined],
  ['/providers/Vendor.Management/managementGroups/a/b', undefined],
  ['/providers/Strange.Management/managementGroups/a', undefined],
  ['/subscriptions/s/providers/Vendor.Management/managementGroups/a', undefined],
])('the management group of %s is %s', (id, name) => {
  expect(managementGroupIn(id, ['Microsoft'])).toBe(name);
});
