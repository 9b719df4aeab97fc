import { withPrefix } from '../../../kernel/arm/index.ts';
import { TOPIC_TYPE_ROWS, type TopicTypeRow } from './topic-type-table.ts';

/** The topic types of the table, with the values derived from each row. */

interface EventType {
  /** `Vendor.Resources.ResourceWriteSuccess` */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Included by a filter without event types. */
  readonly isInDefaultSet: boolean;
}

export interface TopicType {
  /** `Vendor.Storage.StorageAccounts` */
  readonly name: string;
  readonly provider: string;
  readonly displayName: string;
  readonly description: string;
  readonly isGlobal: boolean;
  /** Its resources are in resource groups, and no service of the jar implements them. */
  readonly isForeign: boolean;
  readonly scopes?: TopicTypeRow['scopes'];
  /** `/subscriptions/<subscriptionId>/…`, with the canonical prefix. */
  readonly sourceResourceFormat?: string;
  readonly eventTypes: readonly EventType[];
}

const IN_GROUP = '/subscriptions/<subscriptionId>/resourceGroups/<resourceGroupName>/providers/Vendor.';

const typeOf = (row: TopicTypeRow): TopicType => {
  const { source, scopes, isGlobal = false, isServed = false, displayName, prefix = '' } = row;
  const name = `Vendor.${row.name}`;
  const format = source === undefined || source.startsWith('/') ? source : IN_GROUP + source;
  const provider = /\/providers\/([^/]+)/.exec(format ?? '')?.[1] ?? name.slice(0, name.lastIndexOf('.'));
  const events = (names: readonly string[] = [], isInDefaultSet: boolean): EventType[] =>
    names.flatMap(expand).map((event) => eventType(`Vendor.${prefix}.${event}`, isInDefaultSet));
  return {
    name,
    provider,
    displayName,
    description: `Events of ${displayName.charAt(0).toLowerCase()}${displayName.slice(1)}.`,
    isGlobal,
    isForeign: (format?.startsWith(IN_GROUP) ?? false) && !isServed,
    ...(scopes && { scopes }),
    ...(format !== undefined && { sourceResourceFormat: format }),
    eventTypes: [...events(row.events, true), ...events(row.furtherEvents, false)],
  };
};

function eventType(name: string, isInDefaultSet: boolean): EventType {
  const words = name
    .slice(name.indexOf('.', 'Vendor.'.length) + 1)
    .replaceAll('.', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2');
  return { name, displayName: words, description: `Raised for: ${words.toLowerCase()}.`, isInDefaultSet };
}

/** `{Blob,Directory}Renamed` → `BlobRenamed`, `DirectoryRenamed` */
function expand(pattern: string): string[] {
  const [whole, choice = ''] = /\{([^}]*)\}/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return choice.split(',').flatMap((each) => expand(pattern.replace(whole, each)));
}

export const TOPIC_TYPE_TABLE: readonly TopicType[] = TOPIC_TYPE_ROWS.map(typeOf);

const byName = new Map(TOPIC_TYPE_TABLE.map((type) => [type.name.toLowerCase(), type]));

/** By name with the canonical prefix, ignoring case. */
export const topicTypeNamed = (name: string): TopicType | undefined => byName.get(name.toLowerCase());

/** `Vendor.Storage/storageAccounts`, in lower case. */
const resourceTypeIn = (format = ''): string => /\/providers\/([^/]+\/[^/]+)/.exec(format)?.[1]?.toLowerCase() ?? '';

const byResource = new Map([
  ...TOPIC_TYPE_TABLE.map((type) => [resourceTypeIn(type.sourceResourceFormat), type] as const),
  ['vendor.eventgrid/topics', topicTypeNamed('Vendor.EventGrid.Topics')],
  ['vendor.eventgrid/domains', topicTypeNamed('Vendor.EventGrid.Domains')],
]);

/** Topic type of a resource type such as `Vendor.EventGrid/topics`, ignoring case. */
export const topicTypeOf = (resourceType: string): TopicType | undefined => byResource.get(resourceType.toLowerCase());

/** Events of management operations on any resource. */
export const RESOURCE_EVENTS: readonly EventType[] =
  topicTypeNamed('Vendor.Resources.ResourceGroups')?.eventTypes ?? [];

/** Event types of the default set, with a provider prefix. Returns undefined if the topic type lists no event types. */
export function defaultEventTypes(topicType: string, prefix: string): readonly string[] | undefined {
  const names = (topicTypeNamed(topicType)?.eventTypes ?? []).flatMap(({ name, isInDefaultSet }) =>
    isInDefaultSet ? [withPrefix(name, prefix)] : [],
  );
  return names.length === 0 ? undefined : names;
}

/** True if an id with the canonical prefix can be a source of the type; ignores case. */
export function isSourceOf({ sourceResourceFormat, scopes = [] }: TopicType, id: string): boolean {
  const forms = sourceResourceFormat
    ? [sourceResourceFormat]
    : scopes.includes('AzureSubscription')
      ? ['/subscriptions/<subscriptionId>']
      : [];
  const segments = id.toLowerCase().split('/');
  return forms.some((form) => {
    const wanted = form.toLowerCase().split('/');
    return (
      wanted.length === segments.length &&
      wanted.every((segment, i) => (segment.startsWith('<') ? segments[i] !== '' : segments[i] === segment))
    );
  });
}
