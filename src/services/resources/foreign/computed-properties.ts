import { identityIds, normalLocation } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';

/** Input for the read-only properties of a record. */
export interface ComputedInput {
  readonly jar: Parameters<typeof identityIds>[0];
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly location: string | undefined;
  /** By the jar's clock. */
  readonly now: number;
  /** Properties of the record before the write. */
  readonly before: JsonMembers;
}

type Make = (making: ComputedInput) => JsonMembers;

const STORAGE_SERVICES = ['blob', 'dfs', 'file', 'queue', 'table', 'web'] as const;

const host = (name: string, domain: string): string => `${name.toLowerCase()}.${domain}`;

const sinceBefore = ({ before, now }: ComputedInput, member: string) => ({
  [member]: before[member] ?? new Date(now).toISOString(),
});

const bus: Make = (making) => ({
  serviceBusEndpoint: `https://${host(making.name, 'servicebus.vendor.example')}:443/`,
  metricId: `${making.id.split('/')[2]}:${making.name.toLowerCase()}`,
  status: 'Active',
  ...sinceBefore(making, 'createdAt'),
  updatedAt: new Date(making.now).toISOString(),
});

/** Read-only properties that a provider computes. Addresses use a domain that nothing serves. */
const MADE: Readonly<Record<string, Make>> = {
  'Vendor.Storage/storageAccounts': (making) => ({
    primaryEndpoints: Object.fromEntries(
      STORAGE_SERVICES.map((service) => [service, `https://${host(making.name, `${service}.core.vendor.example`)}/`]),
    ),
    primaryLocation: normalLocation(making.location ?? ''),
    statusOfPrimary: 'available',
    ...sinceBefore(making, 'creationTime'),
  }),
  'Vendor.EventHub/namespaces': bus,
  'Vendor.ServiceBus/namespaces': bus,
  'Vendor.Relay/namespaces': bus,
  'Vendor.Devices/IotHubs': ({ name }) => ({ hostName: host(name, 'devices.vendor.example'), state: 'Active' }),
  'Vendor.KeyVault/vaults': ({ name }) => ({ vaultUri: `https://${host(name, 'vault.vendor.example')}/` }),
  'Vendor.ContainerRegistry/registries': (making) => ({
    loginServer: host(making.name, 'registry.vendor.example'),
    ...sinceBefore(making, 'creationDate'),
  }),
  'Vendor.AppConfiguration/configurationStores': (making) => ({
    endpoint: `https://${host(making.name, 'configuration.vendor.example')}`,
    ...sinceBefore(making, 'creationDate'),
  }),
  'Vendor.SignalRService/SignalR': ({ name }) => ({ hostName: host(name, 'signalr.vendor.example') }),
  'Vendor.SignalRService/WebPubSub': ({ name }) => ({ hostName: host(name, 'webpubsub.vendor.example') }),
  'Vendor.Communication/communicationServices': ({ name }) => ({
    hostName: host(name, 'communication.vendor.example'),
  }),
  'Vendor.Cache/Redis': ({ name }) => ({
    hostName: host(name, 'redis.cache.vendor.example'),
    port: 6379,
    sslPort: 6380,
  }),
  'Vendor.Web/sites': ({ name }) => {
    const defaultHostName = host(name, 'sites.vendor.example');
    return { defaultHostName, hostNames: [defaultHostName], state: 'Running', enabled: true };
  },
  'Vendor.ManagedIdentity/userAssignedIdentities': ({ jar, id, tenantId }) => ({ tenantId, ...identityIds(jar, id) }),
  'Vendor.OperationalInsights/workspaces': (making) => ({
    customerId: making.before.customerId ?? uuid(),
    ...sinceBefore(making, 'createdDate'),
    modifiedDate: new Date(making.now).toISOString(),
  }),
};

export const computedProperties = (type: string, making: ComputedInput): JsonMembers => MADE[type]?.(making) ?? {};

/** Children that a record gets when it is created. */
export const DEFAULT_CHILDREN: Readonly<Record<string, readonly string[]>> = {
  'Vendor.Storage/storageAccounts': [
    'blobServices/default',
    'fileServices/default',
    'queueServices/default',
    'tableServices/default',
  ],
  'Vendor.EventHub/namespaces': ['networkRuleSets/default', 'authorizationRules/RootManageSharedAccessKey'],
  'Vendor.EventHub/namespaces/eventhubs': ['consumergroups/$Default'],
  'Vendor.ServiceBus/namespaces': ['networkRuleSets/default', 'authorizationRules/RootManageSharedAccessKey'],
  'Vendor.Relay/namespaces': ['authorizationRules/RootManageSharedAccessKey'],
};
