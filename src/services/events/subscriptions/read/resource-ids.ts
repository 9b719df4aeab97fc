import { canonicalNamespace, isGuid } from '../../../../kernel/arm/ids.ts';
import type { Fields } from './fields.ts';

/** Of what type a destination of each kind is; names of types compare without regard to case. */
export const RESOURCE_TYPES = {
  AzureFunction: 'Vendor.Web/sites/functions',
  EventHub: 'Vendor.EventHub/namespaces/eventhubs',
  HybridConnection: 'Vendor.Relay/namespaces/hybridConnections',
  ServiceBusQueue: 'Vendor.ServiceBus/namespaces/queues',
  ServiceBusTopic: 'Vendor.ServiceBus/namespaces/topics',
  StorageQueue: 'Vendor.Storage/storageAccounts',
  StorageBlob: 'Vendor.Storage/storageAccounts',
  NamespaceTopic: 'Vendor.EventGrid/namespaces/topics',
  ActionGroup: 'Vendor.Insights/actionGroups',
  Identity: 'Vendor.ManagedIdentity/userAssignedIdentities',
} as const;

export type ResourceUse = keyof typeof RESOURCE_TYPES;

const ID = /^\/subscriptions\/([^/]+)\/resourceGroups\/[^/]+\/providers\/([^/]+)((?:\/[^/]+\/[^/]+)+)$/i;
const LONGEST_ID = 2048;

/** The id with the canonical provider prefix; undefined, and told of, where it names nothing of that type. */
export function readResourceId(
  fields: Fields,
  name: string,
  use: ResourceUse,
  aliases: readonly string[],
): string | undefined {
  const value = fields.requiredText(name);
  if (value === undefined) return undefined;
  return canonicalId(value, use, aliases) ?? fields.wrong(name, notOfType(name, use));
}

export const notOfType = (name: string, use: ResourceUse): string =>
  `'${name}' has to be the id of a resource of the type ${RESOURCE_TYPES[use]}: /subscriptions/…/resourceGroups/…/providers/${exampleOf(RESOURCE_TYPES[use])}.`;

/** `Vendor.Web/sites/…/functions/…` */
const exampleOf = (type: string): string =>
  type
    .split('/')
    .map((part, i) => (i === 0 ? part : `${part}/…`))
    .join('/');

export function canonicalId(id: string, use: ResourceUse, aliases: readonly string[]): string | undefined {
  const parts = id.length > LONGEST_ID ? null : ID.exec(id.trim());
  const [, subscription = '', namespace = '', rest = ''] = parts ?? [];
  if (!parts || !isGuid(subscription)) return undefined;
  const canonical = canonicalNamespace(namespace, aliases);
  const types = rest.split('/').filter((_, i) => i % 2 === 1);
  if ([canonical, ...types].join('/').toLowerCase() !== RESOURCE_TYPES[use].toLowerCase()) return undefined;
  return `${id.trim().slice(0, -(namespace.length + rest.length))}${canonical}${rest}`;
}
