import { Type } from 'typebox';
import {
  groupPath,
  managementGroupPath,
  managementGroups,
  type Resource,
  resourceGroups,
  resources,
  subscriptionPath,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import type { Route } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { route } from '../../../kernel/service/index.ts';

/**
 * What the management API shows to one caller of one tenant, for the administrator of the jar: all tenants, without the rate limits of the
 * gateway.
 */

const Text = { type: 'Edm.String' } as const;
const Id = { type: 'Edm.String', field: 'key', ignoreCase: true } as const;
const Tags = Type.Record(Type.String(), Type.String());
const named = (field: string) => ({ type: 'Edm.String', field, ignoreCase: true }) as const;

const managementGroupShape = entityShape({
  name: 'management groups',
  collection: managementGroups,
  properties: {
    name: Text,
    tenantId: named('tenantId'),
    displayName: Text,
    parent: named('parent'),
  },
  scan: 'bounded',
});

const subscriptionShape = entityShape({
  name: 'subscriptions',
  collection: subscriptions,
  properties: {
    subscriptionId: Id,
    tenantId: { type: 'Edm.String', field: 'tenantId' },
    displayName: Text,
    state: Text,
    managementGroup: named('managementGroup'),
  },
  scan: 'bounded',
});

const groupShape = entityShape({
  name: 'resource groups',
  collection: resourceGroups,
  properties: { id: Id, name: Text, subscriptionId: Text, location: Text, provisioningState: Text },
  scan: 'bounded',
});

const resourceShape = entityShape({
  name: 'resources',
  collection: resources,
  properties: {
    id: Id,
    name: named('name'),
    type: named('type'),
    subscriptionId: named('subscription'),
    resourceGroup: named('group'),
    location: { type: 'Edm.String', field: 'location' },
    provisioningState: { type: 'Edm.String', read: stateOf },
    createdAt: { type: 'Edm.DateTimeOffset' },
    changedAt: { type: 'Edm.DateTimeOffset' },
  },
  scan: 'bounded',
});

function stateOf({ properties: { provisioningState } }: Resource): string {
  return typeof provisioningState === 'string' ? provisioningState : 'Succeeded';
}

const iso = (at: number): string => new Date(at).toISOString();

export const scopeLists: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/resources/management-groups',
    operation: 'Jar_ListManagementGroups',
    summary: 'The management groups of all tenants, without root groups that were never changed',
    query: listQuery(managementGroupShape),
    responses: {
      200: listOf(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          tenantId: Type.String(),
          displayName: Type.String(),
          parent: Type.Optional(Type.String({ description: 'Name of the group above, if it is not the root group' })),
        }),
      ),
    },
    handle: (call) =>
      listAnswer(call, {
        shape: managementGroupShape,
        view: ({ value: { name, tenantId, displayName, parent } }) => ({
          id: managementGroupPath(name),
          name,
          tenantId,
          displayName,
          ...(parent !== undefined && { parent }),
        }),
      }),
  }),
  route({
    method: 'GET',
    path: '/_jar/resources/subscriptions',
    operation: 'Jar_ListSubscriptions',
    summary: 'The subscriptions of all tenants',
    query: listQuery(subscriptionShape),
    responses: {
      200: listOf(
        Type.Object({
          id: Type.String(),
          subscriptionId: Type.String(),
          tenantId: Type.String(),
          displayName: Type.String(),
          state: Type.String(),
          managementGroup: Type.Optional(
            Type.String({ description: 'Name of the management group that contains it, if it is not the root group' }),
          ),
          tags: Tags,
        }),
      ),
    },
    handle: (call) =>
      listAnswer(call, {
        shape: subscriptionShape,
        view: ({ value: { subscriptionId, tenantId, displayName, state, managementGroup, tags } }) => ({
          id: subscriptionPath(subscriptionId),
          subscriptionId,
          tenantId,
          displayName,
          state,
          ...(managementGroup !== undefined && { managementGroup }),
          tags,
        }),
      }),
  }),
  route({
    method: 'GET',
    path: '/_jar/resources/groups',
    operation: 'Jar_ListResourceGroups',
    summary: 'The resource groups of all subscriptions',
    query: listQuery(groupShape),
    responses: {
      200: listOf(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          subscriptionId: Type.String(),
          location: Type.String(),
          provisioningState: Type.String(),
          tags: Tags,
        }),
      ),
    },
    handle: (call) =>
      listAnswer(call, {
        shape: groupShape,
        seen: ({ value }) => ({ ...value, id: groupPath(value.subscriptionId, value.name) }),
        view: ({ value: { name, subscriptionId, location, provisioningState, tags } }) => ({
          id: groupPath(subscriptionId, name),
          name,
          subscriptionId,
          location,
          provisioningState,
          tags,
        }),
      }),
  }),
  route({
    method: 'GET',
    path: '/_jar/resources',
    operation: 'Jar_ListResources',
    summary: 'The resources of all subscriptions, of every type, children without a location included',
    query: listQuery(resourceShape),
    responses: {
      200: listOf(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          type: Type.String(),
          subscriptionId: Type.String(),
          resourceGroup: Type.String(),
          location: Type.Optional(Type.String()),
          provisioningState: Type.String(),
          createdAt: Type.String(),
          changedAt: Type.String(),
          tags: Tags,
        }),
      ),
    },
    handle: (call) =>
      listAnswer(call, {
        shape: resourceShape,
        view: ({ value }) => ({
          id: value.id,
          name: value.name,
          type: value.type,
          subscriptionId: value.subscriptionId,
          resourceGroup: value.resourceGroup,
          ...(value.location !== undefined && { location: value.location }),
          provisioningState: stateOf(value),
          createdAt: iso(value.createdAt),
          changedAt: iso(value.changedAt),
          tags: value.tags,
        }),
      }),
  }),
];
