import { Type } from 'typebox';
import {
  canonicalNamespace,
  gatewayErrors,
  parseScope,
  REGIONS,
  resourceKey,
  resources,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { domainTopics } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import { armCode, type EventsJar } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';
import { RESOURCE_EVENTS, TOPIC_TYPE_TABLE, type TopicType, topicTypeNamed, topicTypeOf } from './topic-types.ts';

const Text = Type.String();
const common = { id: Text, name: Text, type: Text };

const TopicTypeSchema = Type.Object({
  ...common,
  properties: Type.Object({
    provider: Text,
    displayName: Text,
    description: Text,
    resourceRegionType: Text,
    provisioningState: Text,
    supportedLocations: Type.Optional(Type.Array(Text)),
    sourceResourceFormat: Type.Optional(Text),
    supportedScopesForSource: Type.Optional(Type.Array(Text)),
  }),
});

const EventTypesSchema = Type.Object({
  value: Type.Array(
    Type.Object({
      ...common,
      properties: Type.Object({
        displayName: Text,
        description: Text,
        schemaUrl: Text,
        isInDefaultSet: Type.Boolean(),
      }),
    }),
  ),
});

/** There are no schema documents of events, so the address is empty. */
const SCHEMA_URL = '';

const idOf = (type: TopicType, prefix: string): string =>
  `providers/${withPrefix(NAMESPACE, prefix)}/topicTypes/${withPrefix(type.name, prefix)}`;

const typeView = (type: TopicType, prefix: string) => ({
  id: idOf(type, prefix),
  name: withPrefix(type.name, prefix),
  type: withPrefix(`${NAMESPACE}/topicTypes`, prefix),
  properties: {
    provider: withPrefix(type.provider, prefix),
    displayName: type.displayName,
    description: type.description,
    resourceRegionType: type.isGlobal ? 'GlobalResource' : 'RegionalResource',
    provisioningState: 'Succeeded',
    ...(!type.isGlobal && { supportedLocations: REGIONS.map(({ displayName }) => displayName) }),
    ...(type.sourceResourceFormat && { sourceResourceFormat: withPrefix(type.sourceResourceFormat, prefix) }),
    ...(type.scopes && { supportedScopesForSource: type.scopes }),
  },
});

const eventTypesView = (eventTypes: TopicType['eventTypes'], parent: string, prefix: string) => ({
  value: eventTypes.map(({ name, displayName, description, isInDefaultSet }) => ({
    id: `${parent}/eventTypes/${withPrefix(name, prefix)}`,
    name: withPrefix(name, prefix),
    type: withPrefix(`${NAMESPACE}/topicTypes/eventTypes`, prefix),
    properties: { displayName, description, schemaUrl: SCHEMA_URL, isInDefaultSet },
  })),
});

export const list = armCode([], {
  responses: { 200: Type.Object({ value: Type.Array(TopicTypeSchema) }) },
  handle: (_call, { prefix }) => ok({ value: TOPIC_TYPE_TABLE.map((type) => typeView(type, prefix)) }),
});

export const get = armCode(['topicTypeName'], {
  responses: { 200: TopicTypeSchema },
  handle: ({ params, jar }, { prefix }) => ok(typeView(find(jar, params.topicTypeName), prefix)),
});

export const listEventTypes = armCode(['topicTypeName'], {
  responses: { 200: EventTypesSchema },
  handle({ params, jar }, { prefix }) {
    const type = find(jar, params.topicTypeName);
    return ok(eventTypesView(type.eventTypes, idOf(type, prefix), prefix));
  },
});

function find({ config }: EventsJar, name: string): TopicType {
  const found = topicTypeNamed(canonicalNamespace(name, config.namespace));
  if (!found) throw eventErrors.TopicTypeNotFound({ name: name.slice(0, 100) });
  return found;
}

/** Event types of one resource, resource group, subscription or management group. */
export const listForScope = armCode(['scope'], {
  responses: { 200: EventTypesSchema },
  async handle({ params, jar }, { prefix, managementGroup }) {
    const { resourceGroup, provider } = parseScope(params.scope);
    const scope = `/${params.scope.replace(/^\/+/, '')}`;
    const parent = `${scope}/providers/${withPrefix(NAMESPACE, prefix)}`;
    if (!provider) {
      const type = topicTypeNamed(
        `Vendor.Resources.${resourceGroup === undefined ? 'Subscriptions' : 'ResourceGroups'}`,
      );
      return ok(eventTypesView(type?.eventTypes ?? [], parent, prefix));
    }
    if (managementGroup) return ok(eventTypesView(RESOURCE_EVENTS, parent, prefix));
    const key = resourceKey(scope, jar.config.namespace);
    const type = `${canonicalNamespace(provider.namespace, jar.config.namespace)}/${provider.types.join('/')}`;
    const stored = (await readCached(jar.store, resources, key)) ?? (await readCached(jar.store, domainTopics, key));
    const isForeign = topicTypeOf(type)?.isForeign === true && (await jar.settings.current()).foreignScopes;
    if (!stored && !isForeign) {
      const name = provider.names.join('/');
      throw gatewayErrors.ResourceNotFound({ type, name, group: resourceGroup ?? '' });
    }
    const isOwn = type.toLowerCase().startsWith(`${NAMESPACE.toLowerCase()}/`);
    const eventTypes = topicTypeOf(type)?.eventTypes ?? (isOwn ? [] : RESOURCE_EVENTS);
    return ok(eventTypesView(eventTypes, parent, prefix));
  },
});
