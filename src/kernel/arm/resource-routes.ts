import { type TSchema, Type } from 'typebox';
import { type Answer, type Call, created, noContent, ok, type Route } from '../http/route.ts';
import { LIST_QUERY } from '../odata/query-schema.ts';
import type { Json, Tx } from '../store/types.ts';
import { mutate } from './changes.ts';
import { type Resource, type ResourceGroup, resourceGroups, resources, type Subscription } from './collections.ts';
import { gatewayErrors } from './errors.ts';
import { groupPath, normalLocation } from './ids.ts';
import { REGIONS, regionNames } from './locations.ts';
import { listPage } from './paging.ts';
import type { ResourceType } from './providers.ts';
import { freeResources, takeResource } from './quotas.ts';
import { readThrough } from './read-through.ts';
import { resourceShape as shape } from './resource-shape.ts';
import { resourceView } from './resource-view.ts';
import { type ArmFacts, armRoute } from './route.ts';
import { checkTags, TagsSchema } from './tags.ts';

/** A resource type with the operations that every type has in the same way: PUT, GET, PATCH of tags, DELETE and both lists. */
export interface ResourceDefinition extends ResourceType {
  /** `ContainerGroups`: in front of the operation names. */
  readonly operations: string;
  /** What is particular to the type in the body of a PUT, beside `location` and `tags`. */
  readonly body: TSchema;
  readonly namePattern: RegExp;
  /** Says what to store. Runs in the transaction of the write; throw to refuse it. */
  write(write: ResourceWrite): Promise<Pick<Resource, 'properties' | 'extra'>> | Pick<Resource, 'properties' | 'extra'>;
  /** What to show; `full` is false in lists. */
  view?(resource: Resource, prefix: string, full: boolean): Record<string, unknown>;
}

export interface ResourceWrite {
  readonly tx: Tx;
  readonly call: Call;
  readonly id: string;
  readonly body: Readonly<Record<string, Json | undefined>>;
  readonly existing: Resource | undefined;
}

type Params = { subscriptionId: string; resourceGroupName: string; resourceName: string };

export function resourceRoutes(definition: ResourceDefinition): Route[] {
  const { type, apiVersions, operations } = definition;
  const byGroup = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${type}` as const;
  const one = `${byGroup}/{resourceName}` as const;
  const show = definition.view ?? resourceView;
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
        const outcome = await put(definition, call as unknown as Call<Params>, arm);
        const view = show(outcome.resource, arm.prefix, true);
        return outcome.isNew ? created(view) : ok(view);
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
        return ok(show(stored.value, arm.prefix, true));
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
        return ok(show(resource, arm.prefix, true));
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
        const deleted = await mutate(call, async (tx) => {
          const key = idOf(definition, call.params, arm).toLowerCase();
          const stored = await tx.get(resources, key);
          if (!stored) return undefined;
          await definition.onDelete?.(tx, stored.value, call.jar);
          await tx.delete(resources, key);
          await freeResources(tx, call.jar, [stored.value]);
          return stored.value;
        });
        return deleted ? ok(show(deleted, arm.prefix, true)) : noContent();
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
        return listPage(call, resources, { shape, prefix, filter }, (it) => show(it, arm.prefix, false));
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
        return listPage(call, resources, { shape, filter: { op: 'and', args } }, (it) => show(it, arm.prefix, false));
      },
    }),
  ];
}

async function put(
  definition: ResourceDefinition,
  call: Call<Params>,
  arm: ArmFacts,
): Promise<{ resource: Resource; isNew: boolean }> {
  const body = call.body as Readonly<Record<string, Json | undefined>>;
  const name = call.params.resourceName;
  if (!definition.namePattern.test(name)) {
    throw gatewayErrors.InvalidResourceName(
      { name, reason: `it must match ${definition.namePattern.source}.` },
      { target: 'name' },
    );
  }
  const tags = checkTags((body.tags as Record<string, string> | null | undefined) ?? undefined);
  const id = idOf(definition, call.params, arm);
  const now = call.jar.clock.now();
  return mutate(call, async (tx) => {
    await holdGroup(tx, arm);
    const existing = (await tx.get(resources, id.toLowerCase()))?.value;
    const location = definition.tracked
      ? checkLocation(definition, body.location as string | undefined, existing)
      : undefined;
    const written = await definition.write({ tx, call, id: existing?.id ?? id, body, existing });
    const resource: Resource = {
      id: existing?.id ?? id,
      subscriptionId: (arm.subscription as Subscription).subscriptionId,
      resourceGroup: (arm.group as ResourceGroup).name,
      name: existing?.name ?? name,
      type: definition.type,
      location,
      tags,
      properties: written.properties,
      extra: written.extra,
      createdAt: existing?.createdAt ?? now,
      changedAt: now,
    };
    if (!existing) await takeResource(tx, call.jar, resource);
    await tx.put(resources, id.toLowerCase(), resource);
    return { resource, isNew: existing === undefined };
  });
}

/** Keeps the group from going away while something is put into it; the gateway's own look at it was before the transaction. */
async function holdGroup(tx: Tx, arm: ArmFacts): Promise<void> {
  const { subscriptionId, name: group } = arm.group as ResourceGroup;
  const stored = await tx.get(resourceGroups, groupPath(subscriptionId, group).toLowerCase(), 'share');
  if (!stored) throw gatewayErrors.ResourceGroupNotFound({ group });
  if (stored.value.provisioningState === 'Deleting') throw gatewayErrors.ResourceGroupBeingDeleted({ group });
}

function checkLocation(
  definition: ResourceDefinition,
  location: string | undefined,
  existing: Resource | undefined,
): string {
  if (location === undefined || location.trim() === '') {
    if (existing?.location !== undefined) return existing.location;
    throw gatewayErrors.LocationRequired({}, { target: 'location' });
  }
  const region = normalLocation(location);
  const offered = definition.locations ?? REGIONS.map(({ name }) => name);
  if (!offered.includes(region)) {
    const values = { location, type: definition.type, locations: definition.locations?.join(',') ?? regionNames() };
    throw gatewayErrors.LocationNotAvailableForResourceType(values, { target: 'location' });
  }
  if (existing?.location !== undefined && existing.location !== region) {
    throw gatewayErrors.InvalidResourceLocation({ name: existing.name, existing: existing.location, location: region });
  }
  return region;
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
