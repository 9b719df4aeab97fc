import { Type } from 'typebox';
import {
  authorizeSubscription,
  isRootGroup,
  managementGroupKey,
  managementGroups,
  mutate,
  type Subscription,
  subscriptions,
} from '../../kernel/arm/index.ts';
import { noContent, ok } from '../../kernel/http/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import { readCached } from '../../kernel/store/index.ts';
import { admitToGroup, defaultGroupOf, requireWrite, tenantOf } from './access.ts';
import { groupErrors } from './errors.ts';
import { behind, LIST_OPTIONS, pageAnswer } from './paging.ts';
import { MemberSchema } from './schemas.ts';
import { findGroup, lockTree, parentKey, subscriptionsBelow } from './tree.ts';
import { memberView } from './view.ts';

/** The subscriptions that are children of a group. */

const PARAMS = ['groupId', 'subscriptionId'] as const;
type MemberCall = Call<{ readonly groupId: string; readonly subscriptionId: string }>;

/** Moves a subscription into a group. */
export const put = armCode(PARAMS, {
  admit: admitToGroup,
  responses: { 200: MemberSchema },
  async handle(call, arm) {
    const { groupId } = call.params;
    const group = await groupOf(call, groupId);
    const moved = await move(call, group.name);
    return ok(memberView(group.name, moved, arm.prefix));
  },
});

/** Removes a subscription from a group: it moves to the tenant's default group. */
export const remove = armCode(PARAMS, {
  admit: admitToGroup,
  responses: { 200: 'It was moved to the default group', 204: 'It is not in the group' },
  async handle(call, arm) {
    const { groupId } = call.params;
    const tenantId = tenantOf(call);
    const group = await groupOf(call, groupId);
    const subscription = await ownSubscription(call);
    if (!subscription || subscription.managementGroup !== parentKey(tenantId, group.name)) {
      arm.recorded = true;
      return noContent();
    }
    await move(call, await defaultGroupOf(call.jar.store, tenantId));
    return { status: 200 };
  },
});

export const get = armCode(PARAMS, {
  admit: admitToGroup,
  responses: { 200: MemberSchema },
  async handle(call, arm) {
    const group = await groupOf(call, call.params.groupId);
    const subscription = await ownSubscription(call);
    if (!subscription || subscription.managementGroup !== parentKey(tenantOf(call), group.name)) {
      const values = { subscription: call.params.subscriptionId, group: group.name };
      throw groupErrors.NotFound__Membership(values);
    }
    return ok(memberView(group.name, subscription, arm.prefix));
  },
});

export const list = armCode(['groupId'], {
  admit: admitToGroup,
  query: LIST_OPTIONS,
  responses: { 200: Type.Object({ value: Type.Array(MemberSchema), nextLink: Type.Optional(Type.String()) }) },
  async handle(call, arm) {
    const tenantId = tenantOf(call);
    const group = await groupOf(call, call.params.groupId);
    const members = await subscriptionsBelow(call.jar.store, tenantId, [parentKey(tenantId, group.name)]);
    const keyed = members.map((item) => ({ key: item.subscriptionId.toLowerCase(), item }));
    return pageAnswer(
      call,
      (request) => behind(keyed, request),
      (it) => memberView(group.name, it, arm.prefix),
    );
  },
});

async function groupOf(call: Call<{ readonly groupId: string }>, name: string) {
  const group = await findGroup(call.jar.store, tenantOf(call), name);
  if (!group) throw groupErrors.NotFound({ group: name });
  return group;
}

/** The subscription of the path, if it belongs to the caller's tenant. */
async function ownSubscription(call: MemberCall): Promise<Subscription | undefined> {
  const stored = await readCached(call.jar.store, subscriptions, call.params.subscriptionId.toLowerCase());
  return stored?.value.tenantId === tenantOf(call) ? stored.value : undefined;
}

/** Requires write permission at the subscription, at its old group and at its new one. */
async function move(call: MemberCall, name: string): Promise<Subscription> {
  const tenantId = tenantOf(call);
  const subscription = await ownSubscription(call);
  const missing = { subscription: call.params.subscriptionId, tenant: tenantId };
  if (!subscription) throw groupErrors.NotFound__Subscription(missing);
  const from = subscription.managementGroup;
  await authorizeSubscription(call, subscription);
  for (const group of [from ?? tenantId, name]) await requireWrite(call, group);
  return mutate(call, async (tx) => {
    await lockTree(tx, tenantId);
    const key = subscription.subscriptionId.toLowerCase();
    const current = (await tx.get(subscriptions, key))?.value;
    if (!current) throw groupErrors.NotFound__Subscription(missing);
    // The subscription was moved in the meantime, so the roles were checked for a different move.
    if (current.managementGroup !== from) throw groupErrors.Conflict__Moved({ what: `subscription '${key}'` });
    if (!isRootGroup(tenantId, name) && !(await tx.get(managementGroups, managementGroupKey(tenantId, name), 'share')))
      throw groupErrors.NotFound({ group: name });
    const { managementGroup: _left, ...kept } = current;
    const into = parentKey(tenantId, name);
    const placed: Subscription = { ...kept, ...(into !== undefined && { managementGroup: into }) };
    await tx.put(subscriptions, key, placed);
    return placed;
  });
}
