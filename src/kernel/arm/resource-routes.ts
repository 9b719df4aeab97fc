import { type TSchema, Type } from 'typebox';
import { type Answer, type Call, created, noContent, ok, type Route } from '../http/route.ts';
import { LIST_QUERY } from '../odata/query-schema.ts';
import type { Collection } from '../store/types.ts';
import { mutate } from './changes.ts';
import { type Resource, resources, type Subscription } from './collections.ts';
import { gatewayErrors } from './errors.ts';
import { groupPath } from './ids.ts';
import { operationHeaders } from './operations.ts';
import { listPage } from './paging.ts';
import type { ResourceType } from './providers.ts';
import { freeResources } from './quotas.ts';
import { readThrough } from './read-through.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { putResource } from './resource-put.ts';
import { resourceShape as shape } from './resource-shape.ts';
import { resourceView } from './resource-view.ts';
import { type ArmFacts, armRoute } from './route.ts';
import { checkTags, TagsSchema } from './tags.ts';

export type { ResourceDefinition, ResourceWrite } from './resource-definition.ts';

type Params = { subscriptionId: string; resourceGroupName: string; resourceName: string };

export function resourceRoutes<Prepared, Companion>(definition: ResourceDefinition<Prepared, Companion>): Route[] {
  const { type, apiVersions, operations } = definition;
  const byGroup = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${type}` as const;
  const one = `${byGroup}/{resourceName}` as const;
  const show: NonNullable<typeof definition.view> = definition.view ?? resourceView;
  const full = async (resource: Resource, call: Call, arm: ArmFacts): Promise<Record<string, unknown>> => {
    const { store } = call.jar;
    const hot = { get: <T>(collection: Collection<T>, key: string) => readThrough(store, collection, key) };
    const companion = await definition.readCompanion?.(hot, resource.id.toLowerCase());
    return show(resource, arm.prefix, true, companion);
  };
  const common = { resourceType: type, apiVersions };
  return [
    armRoute({
      ...common,
      method: 'PUT',
      path: one,
      operation: `${operations}_CreateOrUpdate`,
      summary: `Creates or updates a resource of the type ${type}`,
      action: `${type}/write`,
      body: withCommonMembers(definition.body),
      async handle(call, arm): Promise<Answer> {
        const id = idOf(definition, call.params, arm);
        const outcome = await putResource(definition, call as unknown as Call, arm, id, call.params.resourceName);
        const { resource, companion, operation, isNew } = outcome;
        const view = show(resource, arm.prefix, true, companion);
        const headers = operation && {
          ...operationHeaders(call, operation, 'status', definition.polling),
          'x-ms-request-id': `${operation.location}:${operation.id}`,
        };
        return isNew ? created(view, headers) : ok(view, headers);
      },
    }),
    armRoute({
      ...common,
      method: 'GET',
      path: one,
      operation: `${operations}_Get`,
      summary: `One resource of the type ${type}`,
      action: `${type}/read`,
      async handle(call, arm) {
        const stored = await readThrough(call.jar.store, resources, idOf(definition, call.params, arm).toLowerCase());
        if (!stored) throw notFound(definition, call.params);
        return ok(await full(stored.value, call, arm));
      },
    }),
    armRoute({
      ...common,
      method: 'PATCH',
      path: one,
      operation: `${operations}_Update`,
      summary: 'Replaces the tags of a resource',
      action: `${type}/write`,
      body: Type.Object({ tags: Type.Optional(TagsSchema) }),
      async handle(call, arm) {
        const tags = call.body.tags && checkTags(call.body.tags);
        const resource = await mutate(call, async (tx) => {
          const key = idOf(definition, call.params, arm).toLowerCase();
          const stored = await tx.get(resources, key);
          if (!stored) throw notFound(definition, call.params);
          const updated = { ...stored.value, ...(tags && { tags }), changedAt: call.jar.clock.now() };
          await tx.put(resources, key, updated);
          return updated;
        });
        return ok(await full(resource, call, arm));
      },
    }),
    armRoute({
      ...common,
      method: 'DELETE',
      path: one,
      operation: `${operations}_Delete`,
      summary: `Deletes a resource of the type ${type}: 200, or 204 when there is none`,
      action: `${type}/delete`,
      async handle(call, arm) {
        await definition.beforeDelete?.(call as unknown as Call, arm);
        const deleted = await mutate(call, async (tx) => {
          const key = idOf(definition, call.params, arm).toLowerCase();
          const stored = await tx.get(resources, key);
          if (!stored) return undefined;
          const companion = await definition.readCompanion?.(tx, key);
          definition.refuseDelete?.(stored.value, companion);
          await definition.onDelete?.(tx, stored.value, call.jar);
          await tx.delete(resources, key);
          await freeResources(tx, call.jar, [stored.value]);
          return show(stored.value, arm.prefix, true, companion);
        });
        return deleted ? ok(deleted) : noContent();
      },
    }),
    armRoute({
      ...common,
      method: 'GET',
      path: byGroup,
      operation: `${operations}_ListByResourceGroup`,
      summary: `The resources of the type ${type} in a group`,
      action: `${type}/read`,
      query: Type.Object(LIST_QUERY),
      handle(call, arm) {
        const prefix = `${idOf(definition, { ...call.params, resourceName: '' }, arm)}`.toLowerCase();
        const filter = { op: 'eq', field: 'type', value: type.toLowerCase() } as const;
        return listPage(call, resources, { shape, prefix, filter }, (it) => show(it, arm.prefix, false, undefined));
      },
    }),
    armRoute({
      ...common,
      method: 'GET',
      path: `/subscriptions/{subscriptionId}/providers/${type}`,
      operation: `${operations}_ListBySubscription`,
      summary: `The resources of the type ${type} in a subscription`,
      action: `${type}/read`,
      query: Type.Object(LIST_QUERY),
      handle(call, arm) {
        const subscription = (arm.subscription as Subscription).subscriptionId.toLowerCase();
        const args = [
          { op: 'eq', field: 'subscription', value: subscription } as const,
          { op: 'eq', field: 'type', value: type.toLowerCase() } as const,
        ];
        return listPage(call, resources, { shape, filter: { op: 'and', args } }, (it) =>
          show(it, arm.prefix, false, undefined),
        );
      },
    }),
  ];
}

function idOf({ type }: ResourceType, params: Params, arm: ArmFacts): string {
  const { subscriptionId } = arm.subscription as Subscription;
  return `${groupPath(subscriptionId, arm.group?.name ?? params.resourceGroupName)}/providers/${type}/${params.resourceName}`;
}

const notFound = ({ type }: ResourceType, { resourceName: name, resourceGroupName: group }: Params): Error =>
  gatewayErrors.ResourceNotFound({ type, name, group });

function withCommonMembers(schema: TSchema): TSchema {
  const common = Type.Object({
    location: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])),
  });
  return Type.Intersect([common, schema]);
}
