import type { Resource } from '../../../kernel/arm/index.ts';
import { isList, isObject, type Json, type JsonMembers } from '../../../kernel/values/index.ts';
import { type ComputedInput, computedProperties } from '../foreign/computed-properties.ts';
import type { ForeignType } from '../foreign/rows.ts';

/** Writable properties of types that other services declare. Types that are not listed here cannot be exported. */
const WRITABLE: Readonly<Record<string, readonly string[]>> = {
  'vendor.containerinstance/containergroups': [
    'sku',
    'containers',
    'initContainers',
    'volumes',
    'osType',
    'restartPolicy',
    'ipAddress',
    'dnsConfig',
    'subnetIds',
    'priority',
    'extensions',
    'imageRegistryCredentials',
    'encryptionProperties',
    'confidentialComputeProperties',
  ],
  'vendor.eventgrid/topics': [
    'inputSchema',
    'inputSchemaMapping',
    'publicNetworkAccess',
    'inboundIpRules',
    'disableLocalAuth',
    'dataResidencyBoundary',
    'minimumTlsVersionAllowed',
    'eventTypeInfo',
  ],
  'vendor.eventgrid/domains': [
    'inputSchema',
    'inputSchemaMapping',
    'publicNetworkAccess',
    'inboundIpRules',
    'disableLocalAuth',
    'dataResidencyBoundary',
    'minimumTlsVersionAllowed',
    'autoCreateTopicWithFirstSubscription',
    'autoDeleteTopicWithLastSubscription',
  ],
  'vendor.datashare/accounts': [],
};

/** Read-only members, at any depth. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'provisioningState',
  'instanceView',
  'ip',
  'fqdn',
  'principalId',
  'clientId',
]);

/** The `properties` of a resource in a template; undefined if its type cannot be exported. */
export function exportedProperties(
  resource: Resource,
  { foreign, jar }: { readonly foreign: readonly ForeignType[]; readonly jar: ComputedInput['jar'] },
): JsonMembers | undefined {
  const { type, properties } = resource;
  const names = WRITABLE[type.toLowerCase()];
  if (names) return members(properties, (name) => names.includes(name));
  if (!foreign.some((each) => each.type === type)) return undefined;
  const { id, name, location, createdAt: now } = resource;
  const made = computedProperties(type, { jar, tenantId: '', id, name, location, now, before: properties });
  return members(properties, (member) => !(member in made));
}

function members(properties: JsonMembers, isKept: (name: string) => boolean): JsonMembers {
  const kept = Object.entries(properties).filter(([name]) => isKept(name) && !READ_ONLY.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, writable(value ?? null)]));
}

function writable(value: Json): Json {
  if (isList(value)) return value.map(writable);
  return isObject(value) ? members(value as JsonMembers, () => true) : value;
}

/** The identity type, and the ids of user-assigned identities. */
export function exportedIdentity(identity: Json | undefined): Json | undefined {
  if (!isObject(identity)) return undefined;
  const { type, userAssignedIdentities } = identity as JsonMembers;
  const assigned = isObject(userAssignedIdentities) ? Object.keys(userAssignedIdentities) : [];
  return {
    type,
    ...(assigned.length > 0 && { userAssignedIdentities: Object.fromEntries(assigned.map((id) => [id, {}])) }),
  };
}
