import { Type } from 'typebox';
import { type Resource, resources } from '../../../kernel/arm/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { type Filter, readCached } from '../../../kernel/store/index.ts';
import { scopes } from '../collections.ts';
import { type EventsCall, routeCode } from '../jar.ts';
import { PARTNER_NAMESPACE, PARTNER_TOPIC } from '../partners/kinds.ts';
import { SYSTEM_TOPIC } from '../system-topics/kind.ts';
import { DOMAIN, TOPIC } from '../topics/kinds.ts';
import { endpointOf } from '../topics/view.ts';

const Optional = Type.Optional;
const Text = { type: 'Edm.String' } as const;

const KINDS = {
  [TOPIC.type]: 'topic',
  [DOMAIN.type]: 'domain',
  [SYSTEM_TOPIC.type]: 'system topic',
  [PARTNER_TOPIC.type]: 'partner topic',
  [PARTNER_NAMESPACE.type]: 'partner namespace',
} as const;

type Kind = (typeof KINDS)[keyof typeof KINDS];

/** The kinds that programs publish to. The others get the events of their source. */
const PUBLISHED_TO: ReadonlySet<Kind> = new Set(['topic', 'domain', 'partner namespace']);

/** The list contains no other types. */
const kindOf = ({ type }: Resource): Kind => KINDS[type] ?? 'topic';

const IS_TOPIC: Filter = { op: 'in', field: 'type', values: Object.keys(KINDS).map((type) => type.toLowerCase()) };

const schemaOf = (resource: Resource): unknown =>
  kindOf(resource) === 'partner namespace' ? 'CloudEventSchemaV1_0' : resource.properties.inputSchema;

const shape = entityShape({
  name: 'topics',
  collection: resources,
  properties: {
    id: { ...Text, ignoreCase: true },
    name: { ...Text, field: 'name', ignoreCase: true },
    kind: { ...Text, read: kindOf },
    location: { ...Text, field: 'location' },
    subscriptionId: { ...Text, field: 'subscription', ignoreCase: true },
    resourceGroup: { ...Text, field: 'group', ignoreCase: true },
    state: { ...Text, read: ({ properties }: Resource) => properties.provisioningState },
    inputSchema: { ...Text, read: schemaOf },
  },
  scan: 'bounded',
});

const TopicView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.Enum(Object.values(KINDS)),
  location: Optional(Type.String()),
  subscriptionId: Type.String(),
  resourceGroup: Type.String(),
  state: Optional(Type.String()),
  inputSchema: Optional(Type.String()),
  endpoint: Optional(Type.String({ description: 'Where events are published' })),
  source: Optional(Type.String({ description: 'The resource whose events a system topic gets' })),
  subscriptions: Type.Integer({
    description: 'Event subscriptions at this scope, without those of topics of a domain',
  }),
});

/** Topics and domains of all Azure subscriptions, and what is like them. */
export const listTopics = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(TopicView) },
  handle: (call) => listAnswer(call, { shape, filter: IS_TOPIC, view: ({ value }) => topicView(call, value) }),
});

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

async function topicView(call: EventsCall, resource: Resource): Promise<object> {
  const { id, name, location, subscriptionId, resourceGroup, properties } = resource;
  const kind = kindOf(resource);
  const scope = await readCached(call.jar.store, scopes, id.toLowerCase());
  return {
    id,
    name,
    kind,
    subscriptionId,
    resourceGroup,
    ...texts({
      location,
      state: properties.provisioningState,
      inputSchema: schemaOf(resource),
      source: properties.source,
      endpoint: PUBLISHED_TO.has(kind) ? endpointOf(resource, call) : undefined,
    }),
    subscriptions: scope?.value.subscriptions ?? 0,
  };
}
