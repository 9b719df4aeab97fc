/** Resource type of each kind of destination; type names compare without regard to case. */
export const RESOURCE_TYPES = {
  AzureFunction: 'Vendor.Web/sites/functions',
  EventHub: 'Vendor.EventHub/namespaces/eventhubs',
  HybridConnection: 'Vendor.Relay/namespaces/hybridConnections',
  ServiceBusQueue: 'Vendor.ServiceBus/namespaces/queues',
  ServiceBusTopic: 'Vendor.ServiceBus/namespaces/topics',
  StorageQueue: 'Vendor.Storage/storageAccounts',
  StorageBlob: 'Vendor.Storage/storageAccounts',
  NamespaceTopic: 'Vendor.EventGrid/namespaces/topics',
  PartnerDestination: 'Vendor.EventGrid/partnerDestinations',
  ActionGroup: 'Vendor.Insights/actionGroups',
  Identity: 'Vendor.ManagedIdentity/userAssignedIdentities',
} as const;
