import {
  type ArmFacts,
  gatewayErrors,
  groupPath,
  isRootGroup,
  managementGroupKey,
  managementGroups,
  parseScope,
  type Resource,
  resourceGroups,
  resourceKey,
  resources,
  type Subscription,
  subscriptionPath,
} from '../../../kernel/arm/index.ts';
import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { domainTopics } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { SYSTEM_TOPIC } from '../system-topics/kind.ts';
import { storedSource, topicTypeIn } from '../system-topics/stored.ts';
import { domainTopicFor } from '../topics/lookup.ts';
import { topicTypeOf } from '../topics/topic-types.ts';
import { foreignParent } from './foreign.ts';
import type { Place } from './place.ts';

/** Scope of an event subscription, as found in the store. */
export interface Parent {
  /** In the casing of its first write. */
  readonly id: string;
  readonly resourceGroup?: string;
  readonly topicType: string;
  readonly location: string;
  /** The topic, the domain (also for one of its topics) or another resource; source of identity and input schema. */
  readonly resource?: Resource;
  /** A resource group that is being deleted: new subscriptions are refused. */
  readonly isBeingDeleted?: boolean;
  /** The jar has no stored resource for it. */
  readonly isForeign?: boolean;
}

const GLOBAL = 'global';
/** Number of segments of `/subscriptions/{id}` and `/subscriptions/{id}/resourceGroups/{name}`, including the empty first one. */
const SUBSCRIPTION_SEGMENTS = 3;
const GROUP_SEGMENTS = 5;
const DOMAIN_TOPIC = /^(.*\/providers\/vendor\.eventgrid\/domains\/[^/]+)\/topics\/([^/]+)$/;

/** Finds the parent and locks it against deletion until the transaction ends; a domain may create the topic. */
export async function lockParent(tx: Tx, jar: EventsJar, place: Place, arm: ArmFacts): Promise<Parent> {
  const parent = await findParent(tx, jar, place, arm, async (domain, key) => {
    const name = place.scope.slice(place.scope.lastIndexOf('/') + 1);
    const known = (await tx.get(domainTopics, key, 'share'))?.value;
    return (known ?? (await domainTopicFor(tx, jar, domain, name, 'subscription')))?.id;
  });
  // Checked again: the gateway's check happened before this transaction.
  if (parent.isBeingDeleted) throw gatewayErrors.ResourceGroupBeingDeleted({ group: parent.resourceGroup ?? '' });
  return parent;
}

/** Finds the parent without locking or creating anything. */
export function readParent(jar: EventsJar, place: Placed, arm: ArmFacts): Promise<Parent> {
  const { store } = jar;
  return findParent(store, jar, place, arm, async (_domain, key) => (await store.get(domainTopics, key))?.value.id);
}

/** Finds the source of a system topic and locks it against deletion until the transaction ends. */
export function findSource(tx: Tx, jar: EventsJar, arm: ArmFacts, scope: string): Promise<Parent> {
  const scopeKey = resourceKey(scope, jar.config.namespace);
  return findParent(tx, jar, { scope, scopeKey }, arm, async () => undefined);
}

type Placed = Pick<Place, 'scope' | 'scopeKey' | 'tenantId'>;
type TopicOfDomain = (domain: Resource, key: string) => Promise<string | undefined>;

async function findParent(
  reader: Reader,
  jar: EventsJar,
  place: Placed,
  arm: ArmFacts,
  topicOf: TopicOfDomain,
): Promise<Parent> {
  const { scope, scopeKey, tenantId } = place;
  if (tenantId !== undefined) return managementGroupParent(reader, scope, tenantId);
  const { subscriptionId } = arm.subscription as Subscription;
  const { resourceGroup, provider } = parseScope(scope);
  const segments = scope.split('/').length;
  if (provider === undefined) {
    if (segments === SUBSCRIPTION_SEGMENTS) return subscriptionParent(subscriptionId);
    if (segments === GROUP_SEGMENTS && resourceGroup !== undefined)
      return groupParent(reader, subscriptionId, resourceGroup);
    throw malformed(scope);
  }
  const inDomain = DOMAIN_TOPIC.exec(scopeKey);
  const resource = (await reader.get(resources, inDomain?.[1] ?? scopeKey, 'share'))?.value;
  const id = resource && inDomain ? await topicOf(resource, scopeKey) : resource?.id;
  if (resource && id !== undefined) return resourceParent(resource, id, jar);
  return foreignParent(reader, jar, scope, arm);
}

const malformed = (scope: string): Error =>
  eventErrors.InvalidRequest(
    {
      reason: `'${scope}' is not a scope for event subscriptions: it does not name a management group, subscription, resource group or resource.`,
    },
    { target: 'scope' },
  );

const subscriptionParent = (subscriptionId: string): Parent => ({
  id: subscriptionPath(subscriptionId),
  topicType: 'Vendor.Resources.Subscriptions',
  location: GLOBAL,
});

async function groupParent(reader: Reader, subscriptionId: string, name: string): Promise<Parent> {
  const stored = await reader.get(resourceGroups, groupPath(subscriptionId, name).toLowerCase(), 'share');
  if (!stored) throw gatewayErrors.ResourceGroupNotFound({ group: name });
  return {
    id: groupPath(subscriptionId, stored.value.name),
    resourceGroup: stored.value.name,
    topicType: 'Vendor.Resources.ResourceGroups',
    location: GLOBAL,
    isBeingDeleted: stored.value.provisioningState === 'Deleting',
  };
}

/** A management group of a tenant; the root group always exists. */
async function managementGroupParent(reader: Reader, scope: string, tenantId: string): Promise<Parent> {
  const name = scope.slice(scope.lastIndexOf('/') + 1);
  const exists =
    isRootGroup(tenantId, name) || (await reader.get(managementGroups, managementGroupKey(tenantId, name), 'share'));
  if (!exists) throw eventErrors.ParentResourceNotFound({ id: scope, hint: '' });
  return { id: scope, topicType: 'Vendor.Management.ManagementGroups', location: GLOBAL };
}

const resourceParent = (resource: Resource, id: string, jar: EventsJar): Parent => ({
  id,
  resourceGroup: resource.resourceGroup,
  topicType: topicTypeOfResource(resource, jar),
  location: resource.location ?? GLOBAL,
  resource,
});

/** The topic type of a system topic is that of its source. */
function topicTypeOfResource(resource: Resource, jar: EventsJar): string {
  if (resource.type !== SYSTEM_TOPIC.type) return topicTypeNameOf(resource.type);
  return topicTypeIn(jar, storedSource(resource).topicType).name;
}

/** From the table; otherwise `Vendor.Test/widgets` → `Vendor.Test.Widgets` */
function topicTypeNameOf(type: string): string {
  const known = topicTypeOf(type);
  if (known) return known.name;
  const [namespace = '', ...names] = type.split('/');
  return [namespace, ...names.map((name) => name.charAt(0).toUpperCase() + name.slice(1))].join('.');
}
