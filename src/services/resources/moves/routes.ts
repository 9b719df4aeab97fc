import { Type } from 'typebox';
import {
  type ArmFacts,
  authorizeAt,
  beginOperation,
  gatewayErrors,
  groupPath,
  operationHeaders,
  originOf,
  type ResourceGroup,
  refuseLocked,
  resourceGroups,
  type Subscription,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import { type Answer, accepted, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { readCached, type Tx } from '../../../kernel/store/index.ts';
import { moveErrors } from './errors.ts';
import { planMove } from './plan.ts';
import { MOVE_RESOURCES, type Move } from './work.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const ACTION = 'Vendor.Resources/subscriptions/resourceGroups';

/** The real gateway's limit for one move. */
const MOST_RESOURCES = 800;

const MoveBody = Type.Object({
  resources: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_RESOURCES }),
  targetResourceGroup: Type.String(),
});

const responses = { 202: 'Accepted; the Location header has the address to poll for the outcome' };

export const moveRoutes: readonly Route[] = [
  armRoute({
    method: 'POST',
    path: `${GROUP}/moveResources`,
    operation: 'Resources_MoveResources',
    summary: 'Moves resources to another group, of any subscription of the tenant',
    action: `${ACTION}/moveResources/action`,
    body: MoveBody,
    responses,
    handle: (call, arm) => begin(call, arm, false),
  }),
  armRoute({
    method: 'POST',
    path: `${GROUP}/validateMoveResources`,
    operation: 'Resources_ValidateMoveResources',
    summary: 'Checks whether resources can be moved to another group',
    action: `${ACTION}/validateMoveResources/action`,
    body: MoveBody,
    responses,
    handle: (call, arm) => begin(call, arm, true),
  }),
];

type MoveCall = Call<
  { resourceGroupName: string },
  Call['query'],
  { resources: string[]; targetResourceGroup: string }
>;

interface Target {
  readonly subscription: Subscription;
  readonly group: ResourceGroup;
}

async function begin(call: MoveCall, arm: ArmFacts, validateOnly: boolean): Promise<Answer> {
  const { jar, body } = call;
  const source = keyOf(arm.group as ResourceGroup);
  const target = await findTarget(call, arm);
  if (keyOf(target.group) === source)
    throw moveErrors.MoveTargetIsSource({ group: target.group.name }, { target: 'targetResourceGroup' });
  const sourceSubscription = arm.subscription as Subscription;
  const origin = originOf(call);
  const operation = await jar.store.transact(async (tx) => {
    const groups = await openGroups(tx, [source, keyOf(target.group)]);
    const [from, to] = [source, keyOf(target.group)].map((key) => groups.get(key)) as [ResourceGroup, ResourceGroup];
    const { subscriptionId, location } = from;
    if (!validateOnly) {
      const subscriptions = { sourceSubscription, targetSubscription: target.subscription };
      const request = { source: from, target: to, ...subscriptions, resources: body.resources };
      const { problems } = await planMove(tx, jar, request);
      if (problems.length > 0) throw moveErrors.ResourceMoveFailed({ count: problems.length }, { details: problems });
    }
    const now = jar.clock.now();
    const about = { subscriptionId, namespace: 'Vendor.Resources', location, origin };
    const begun = await beginOperation(tx, about, now);
    const ways = { source, target: keyOf(to), resources: body.resources };
    const move: Move = { operation: begun.id, origin, ...ways, validateOnly };
    if (!validateOnly)
      for (const [key, group] of groups) await tx.put(resourceGroups, key, { ...group, move: begun.id });
    await tx.schedule(MOVE_RESOURCES.at(now, move));
    return begun;
  });
  // The change record is written when the move ends.
  arm.recorded = true;
  return accepted(operationHeaders(call, operation, 'location'));
}

/** Loads and locks both groups; throws if one is being deleted or is part of another move. */
async function openGroups(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, ResourceGroup>> {
  const groups = new Map<string, ResourceGroup>();
  for (const key of keys.toSorted()) {
    const group = (await tx.get(resourceGroups, key))?.value;
    if (!group) throw gatewayErrors.ResourceGroupNotFound({ group: key.slice(key.lastIndexOf('/') + 1) });
    if (group.provisioningState === 'Deleting') throw gatewayErrors.ResourceGroupBeingDeleted({ group: group.name });
    if (group.move !== undefined) throw gatewayErrors.ResourceGroupBeingMoved({ group: group.name });
    groups.set(key, group);
  }
  return groups;
}

const TARGET = /^\/?subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/?$/i;

/** The target group. The caller needs write permission there as well. */
async function findTarget(call: MoveCall, { subscription: own }: ArmFacts): Promise<Target> {
  const { targetResourceGroup: target } = call.body;
  const [, subscriptionId, group] = TARGET.exec(target) ?? [];
  const options = { target: 'targetResourceGroup' };
  if (subscriptionId === undefined || group === undefined)
    throw moveErrors.InvalidTargetResourceGroup({ target: target.slice(0, 300) }, options);
  const { store } = call.jar;
  const subscription = (await readCached(store, subscriptions, subscriptionId.toLowerCase()))?.value;
  // Resources stay in their tenant; a subscription of another tenant is reported as missing.
  if (subscription?.tenantId !== own?.tenantId || !subscription)
    throw gatewayErrors.SubscriptionNotFound({ subscription: subscriptionId.slice(0, 100) }, options);
  const path = groupPath(subscription.subscriptionId, group);
  await authorizeAt(call, subscription, path);
  if (subscription.state === 'Disabled')
    throw gatewayErrors.ReadOnlyDisabledSubscription({ subscription: subscription.subscriptionId }, options);
  const found = (await readCached(store, resourceGroups, path.toLowerCase()))?.value;
  if (!found) throw gatewayErrors.ResourceGroupNotFound({ group }, options);
  // The gateway checked only the locks of the source.
  if (subscription.locks) await refuseLocked(call, path, 'write');
  return { subscription, group: found };
}

const keyOf = ({ subscriptionId, name }: ResourceGroup): string => groupPath(subscriptionId, name).toLowerCase();
