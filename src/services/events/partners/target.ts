import {
  groupPath,
  type Origin,
  type Resource,
  recordOutcome,
  releaseResourceQuota,
  reserveResourceQuota,
  resourceGroups,
  resources,
  type Subscription,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventErrors } from '../errors.ts';
import type { EventsCall, EventsJar } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';
import type { ChannelTarget } from './collections.ts';
import { partnerErrors } from './errors.ts';

/** The target of a channel in the customer's resource group. */

/** A caller can use any subscription of their tenant. */
export async function subscriptionOfTenant(tx: Tx, call: EventsCall, id: string): Promise<Subscription | undefined> {
  const found = (await tx.get(subscriptions, id.toLowerCase(), 'none'))?.value;
  return found && found.tenantId === call.caller?.tenantId ? found : undefined;
}

const notThere = (target: string, what: string): Error =>
  eventErrors.InvalidRequest({ reason: `The value of '${target}' is not valid: there is no ${what}.` }, { target });

export interface WantedTarget {
  readonly kind: ChannelTarget['kind'];
  /** Default: subscription and resource group of the partner namespace. */
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
  /** Paths of these members in the body, for errors. */
  readonly at: { readonly subscriptionId: string; readonly resourceGroup: string };
}

/** The target, in the casing of existing resources; its group cannot be deleted until the transaction ends. */
export async function resolveChannelTarget(tx: Tx, call: EventsCall, wanted: WantedTarget): Promise<ChannelTarget> {
  const { kind, name, at } = wanted;
  const subscription = await subscriptionOfTenant(tx, call, wanted.subscriptionId);
  if (!subscription || subscription.state === 'Deleted')
    throw notThere(at.subscriptionId, `subscription '${wanted.subscriptionId.slice(0, 60)}' in the tenant`);
  const { subscriptionId } = subscription;
  const key = groupPath(subscriptionId, wanted.resourceGroup).toLowerCase();
  const group = (await tx.get(resourceGroups, key, 'share'))?.value;
  if (!group || group.provisioningState === 'Deleting')
    throw notThere(at.resourceGroup, `resource group '${wanted.resourceGroup.slice(0, 90)}' in the subscription`);
  const id = `${groupPath(subscriptionId, group.name)}/providers/${NAMESPACE}/${kind}/${name}`;
  return { kind, subscriptionId, resourceGroup: group.name, name, id };
}

/** Creates or updates the target of a channel. The caller holds its lock. */
export async function writeTarget(
  tx: Tx,
  jar: EventsJar,
  origin: Origin,
  target: ChannelTarget,
  made: Pick<Resource, 'location' | 'properties' | 'extra'> & { readonly channel: string },
): Promise<void> {
  const { id, name, subscriptionId, resourceGroup, kind } = target;
  const key = id.toLowerCase();
  const now = jar.clock.now();
  const { channel, location, properties, extra } = made;
  const existing = (await tx.get(resources, key))?.value;
  if (existing && existing.extra.channel !== channel)
    throw partnerErrors.PartnerResourceExists({ type: typeWord(target), name, group: resourceGroup });
  const resource: Resource = {
    id,
    subscriptionId,
    resourceGroup,
    name,
    type: `${NAMESPACE}/${kind}`,
    ...(location !== undefined && { location }),
    tags: existing?.tags ?? {},
    properties: { ...existing?.properties, ...properties },
    extra: { ...extra, ...existing?.extra, channel },
    createdAt: existing?.createdAt ?? now,
    changedAt: now,
  };
  if (!existing) await reserveResourceQuota(tx, jar, resource);
  await tx.put(resources, key, resource);
  await recordOutcome(tx, ofTarget(origin, resource, 'write'), now, 'Succeeded');
}

/** Deletes only the resource; `onDelete` of its type deletes what belongs to it. */
export async function deleteTarget(tx: Tx, jar: EventsJar, resource: Resource): Promise<void> {
  await tx.delete(resources, resource.id.toLowerCase());
  await releaseResourceQuota(tx, jar, [resource]);
}

export const typeWord = ({ kind }: Pick<ChannelTarget, 'kind'>): string =>
  kind === 'partnerTopics' ? 'partner topic' : 'partner destination';

/** The partner's operation, as recorded in the customer's subscription. */
const ofTarget = (origin: Origin, { id, type, subscriptionId }: Resource, effect: 'write' | 'delete'): Origin => ({
  ...origin,
  operationName: `${type}/${effect}`,
  effect,
  resourceUri: id,
  subscriptionId,
});
