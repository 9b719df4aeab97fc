import { type TSchema, Type } from 'typebox';
import { type Answer, noContent, ok } from '../http/route.ts';
import { LIST_QUERY } from '../odata/query-schema.ts';
import { readCached } from '../store/read-cached.ts';
import type { Collection, Store } from '../store/types.ts';
import { mutate } from './changes.ts';
import { type Resource, resources, type Subscription } from './collections.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { operationHeaders } from './operations.ts';
import { listPage } from './paging.ts';
import type { ResourceType } from './providers.ts';
import { releaseResourceQuota } from './quotas.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { idIn, parentId } from './resource-path.ts';
import { parentNotFound, putResource } from './resource-put.ts';
import { resourceShape as shape } from './resource-shape.ts';
import { resourceView } from './resource-view.ts';
import { type AnyArmCode, type ArmCall, type ArmFacts, armCode } from './route.ts';
import { systemDataAfter } from './system-data.ts';
import { checkTags, TagsSchema } from './tags.ts';

export type ResourceOperation = 'put' | 'get' | 'patch' | 'delete' | 'listByGroup' | 'listBySubscription';

/** With `parent1` and so on if the type is a child type. */
type Params = Readonly<Record<string, string>> & { resourceGroupName: string; resourceName: string };
const PARAMS = ['subscriptionId', 'resourceGroupName', 'resourceName'] as const;

/** Handlers of the operations that all types share. */
export function resourceCode<Prepared, Companion>(
  definition: ResourceDefinition<Prepared, Companion>,
): Readonly<Record<ResourceOperation, AnyArmCode>> {
  const { type } = definition;
  const show: NonNullable<typeof definition.view> = definition.view ?? resourceView;
  const full = async (resource: Resource, call: ArmCall, arm: ArmFacts): Promise<Record<string, unknown>> => {
    const { store } = call.jar;
    const hot = { get: <T>(collection: Collection<T>, key: string) => readCached(store, collection, key) };
    const companion = await definition.readCompanion?.(hot, resource.id.toLowerCase());
    return show(resource, arm.prefix, true, companion, call);
  };
  const absent = async (reader: Pick<Store, 'get'>, key: string, params: Params): Promise<Error> =>
    (await definition.notFound?.(reader, key, params.resourceName)) ?? notFound(definition, params);
  const put = armCode(PARAMS, {
    body: withCommonMembers(definition.body),
    async handle(call, arm): Promise<Answer> {
      const id = idOf(definition, call.params, arm);
      const outcome = await putResource(definition, call, arm, id, call.params.resourceName);
      const { operation, isNew } = outcome;
      const later = operation && (await definition.beforeAnswer?.(call, outcome.resource));
      const { resource, companion } = later ?? outcome;
      const view = show(resource, arm.prefix, true, companion, call);
      const headers = operation
        ? {
            ...outcome.headers,
            ...operationHeaders(call, operation, 'status', definition.polling),
            'x-ms-request-id': `${operation.location}:${operation.id}`,
          }
        : outcome.headers;
      const isCreated = definition.alwaysCreated || (isNew && !definition.alwaysOk);
      return { status: outcome.status ?? (isCreated ? 201 : 200), body: view, headers };
    },
  });
  const get = armCode(PARAMS, {
    async handle(call, arm) {
      const key = idOf(definition, call.params, arm).toLowerCase();
      const stored = await readCached(call.jar.store, resources, key);
      if (!stored) {
        await findParent(definition, call, arm);
        throw await absent(call.jar.store, key, call.params);
      }
      return ok(await full(stored.value, call, arm));
    },
  });
  const patch =
    definition.patch ??
    armCode(PARAMS, {
      body: Type.Object({ tags: Type.Optional(TagsSchema) }),
      async handle(call, arm) {
        const tags = call.body.tags && checkTags(call.body.tags);
        const resource = await mutate(call, async (tx) => {
          const key = idOf(definition, call.params, arm).toLowerCase();
          const stored = await tx.get(resources, key);
          if (!stored) throw await absent(tx, key, call.params);
          const { extra } = stored.value;
          const modified = extra.systemData && { systemData: systemDataAfter(call, extra.systemData) };
          const changedAt = call.jar.clock.now();
          const updated = { ...stored.value, ...(tags && { tags }), extra: { ...extra, ...modified }, changedAt };
          await tx.put(resources, key, updated);
          return updated;
        });
        return ok(await full(resource, call, arm));
      },
    });
  const remove = armCode(PARAMS, {
    async handle(call, arm) {
      await definition.beforeDelete?.(call, arm);
      const deleted = await mutate(call, async (tx) => {
        const key = idOf(definition, call.params, arm).toLowerCase();
        const stored = await tx.get(resources, key);
        if (!stored) return undefined;
        const companion = await definition.readCompanion?.(tx, key);
        definition.refuseDelete?.(stored.value, companion);
        await definition.onDelete?.(tx, stored.value, call.jar);
        await tx.delete(resources, key);
        await releaseResourceQuota(tx, call.jar, [stored.value]);
        return show(stored.value, arm.prefix, true, companion, call);
      });
      return deleted ? ok(deleted) : noContent();
    },
  });
  const listByGroup = armCode(PARAMS, {
    query: Type.Object(LIST_QUERY),
    async handle(call, arm) {
      await findParent(definition, call, arm);
      const prefix = `${idOf(definition, { ...call.params, resourceName: '' }, arm)}`.toLowerCase();
      const filter = { op: 'eq', field: 'type', value: type.toLowerCase() } as const;
      return listPage(call, resources, { shape, prefix, filter }, (it) => show(it, arm.prefix, false, undefined, call));
    },
  });
  const listBySubscription = armCode(PARAMS, {
    query: Type.Object(LIST_QUERY),
    handle(call, arm) {
      const subscription = (arm.subscription as Subscription).subscriptionId.toLowerCase();
      const args = [
        { op: 'eq', field: 'subscription', value: subscription } as const,
        { op: 'eq', field: 'type', value: type.toLowerCase() } as const,
      ];
      return listPage(call, resources, { shape, filter: { op: 'and', args } }, (it) =>
        show(it, arm.prefix, false, undefined, call),
      );
    },
  });
  return { put, get, patch, delete: definition.remove ?? remove, listByGroup, listBySubscription };
}

/** The id of the resource that a path of the type names. */
export function idOf({ type }: ResourceType, params: Params, arm: ArmFacts): string {
  const { subscriptionId } = arm.subscription as Subscription;
  return idIn(type, subscriptionId, arm.group?.name ?? params.resourceGroupName, params);
}

/** Throws if the parent of a child resource does not exist. */
async function findParent(definition: ResourceType, call: ArmCall<Params>, arm: ArmFacts): Promise<void> {
  const parent = parentId(idOf(definition, call.params, arm));
  if (parent === undefined || (await readCached(call.jar.store, resources, parent.toLowerCase()))) return;
  throw parentNotFound(parent);
}

const notFound = ({ type }: ResourceType, { resourceName: name, resourceGroupName: group }: Params): Error =>
  gatewayErrors.ResourceNotFound({ type, name, group }, { headers: GATEWAY_FAILURE });

function withCommonMembers(schema: TSchema): TSchema {
  const common = Type.Object({
    location: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])),
  });
  return Type.Intersect([common, schema]);
}
