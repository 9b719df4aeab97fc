/** What can be subscribed to, and which events come of it: a table, for clients that offer a choice. */

interface EventType {
  /** `Vendor.Resources.ResourceWriteSuccess` */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
}

export interface TopicType {
  /** `Vendor.Resources.Subscriptions`: the resource type with a dot for the slash. */
  readonly name: string;
  /** In lower case, as ids have it; absent where it is no provider's resource. */
  readonly resourceType?: string;
  readonly provider: string;
  readonly displayName: string;
  readonly description: string;
  readonly resourceRegionType: 'GlobalResource' | 'RegionalResource';
  readonly scopes: readonly ('Resource' | 'ResourceGroup' | 'AzureSubscription' | 'ManagementGroup')[];
  readonly sourceResourceFormat?: string;
  readonly eventTypes: readonly EventType[];
}

const KINDS = [
  ['Write', 'create or update'],
  ['Delete', 'delete'],
  ['Action', 'action'],
] as const;

const OUTCOMES = [
  ['Success', 'succeeded'],
  ['Failure', 'failed'],
  ['Cancel', 'was canceled'],
] as const;

/** What management does to any resource. */
export const RESOURCE_EVENTS: readonly EventType[] = KINDS.flatMap(([kind, what]) =>
  OUTCOMES.map(([outcome, how]) => ({
    name: `Vendor.Resources.Resource${kind}${outcome}`,
    displayName: `Resource ${kind} ${outcome}`,
    description: `Raised when a resource ${what} operation ${how}.`,
  })),
);

const resource = (
  type: `Vendor.${string}/${string}`,
  displayName: string,
  description: string,
  eventTypes: readonly EventType[],
): TopicType => ({
  name: type.replace('/', '.').replace(/\.([a-z])/, (_, first: string) => `.${first.toUpperCase()}`),
  resourceType: type.toLowerCase(),
  provider: type.slice(0, type.indexOf('/')),
  displayName,
  description,
  resourceRegionType: 'RegionalResource',
  scopes: ['Resource'],
  eventTypes,
});

export const TOPIC_TYPE_TABLE: readonly TopicType[] = [
  {
    name: 'Vendor.Resources.Subscriptions',
    provider: 'Vendor.Resources',
    displayName: 'Subscriptions',
    description: 'What management does to the resources of a subscription.',
    resourceRegionType: 'GlobalResource',
    scopes: ['AzureSubscription'],
    sourceResourceFormat: '/subscriptions/{subscriptionId}',
    eventTypes: RESOURCE_EVENTS,
  },
  {
    name: 'Vendor.Resources.ResourceGroups',
    provider: 'Vendor.Resources',
    displayName: 'Resource groups',
    description: 'What management does to the resources of a group.',
    resourceRegionType: 'GlobalResource',
    scopes: ['ResourceGroup'],
    sourceResourceFormat: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}',
    eventTypes: RESOURCE_EVENTS,
  },
  {
    name: 'Vendor.Management.ManagementGroups',
    provider: 'Vendor.Management',
    displayName: 'Management groups',
    description:
      'What management does to a management group, to the groups and subscriptions below it and to their resources.',
    resourceRegionType: 'GlobalResource',
    scopes: ['ManagementGroup'],
    sourceResourceFormat: '/providers/Vendor.Management/managementGroups/{groupId}',
    eventTypes: RESOURCE_EVENTS,
  },
  resource('Vendor.EventGrid/topics', 'Topics', 'What publishers send to a topic.', []),
  resource('Vendor.EventGrid/domains', 'Domains', 'What publishers send to the topics of a domain.', []),
  resource(
    'Vendor.ContainerInstance/containerGroups',
    'Container groups',
    'What management does to a container group.',
    RESOURCE_EVENTS,
  ),
];

const byName = new Map(TOPIC_TYPE_TABLE.map((type) => [type.name.toLowerCase(), type]));
const byResource = new Map(TOPIC_TYPE_TABLE.flatMap((type) => (type.resourceType ? [[type.resourceType, type]] : [])));

/** By a name with the canonical prefix, in any case. */
export const topicTypeNamed = (name: string): TopicType | undefined => byName.get(name.toLowerCase());

/** Of the resources of a type, `Vendor.EventGrid/topics` in any case. */
export const topicTypeOf = (resourceType: string): TopicType | undefined => byResource.get(resourceType.toLowerCase());
