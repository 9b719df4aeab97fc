import { Type } from 'typebox';
import {
  type ArmFacts,
  armFacts,
  beginOperation,
  checkTags,
  GATEWAY_FAILURE,
  gatewayErrors,
  groupPath,
  isRegion,
  listPage,
  mutate,
  normalLocation,
  operationHeaders,
  operations,
  originOf,
  type ResourceGroup,
  regionNames,
  reserveGroupQuota,
  resourceGroups,
  type Subscription,
  TAGS,
  withPrefix,
} from '../../kernel/arm/index.ts';
import { type Answer, accepted, created, noContent, ok, type Route } from '../../kernel/http/index.ts';
import { entityShape, LIST_QUERY } from '../../kernel/odata/index.ts';
import { armRoute, type Call } from '../../kernel/service/index.ts';
import { readCached } from '../../kernel/store/index.ts';
import { ResourceGroupBody, ResourceGroupListSchema, ResourceGroupPatch, ResourceGroupSchema } from './schemas.ts';
import { DELETE_GROUP } from './work.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const ACTION = 'Vendor.Resources/subscriptions/resourceGroups';
const TYPE = 'Vendor.Resources/resourceGroups';

const NAME = /^[\p{L}\p{N}_\-.()]{1,90}$/u;

/** A subscription has so few groups that conditions without an index are checked group by group. */
const shape = entityShape<ResourceGroup>({
  name: 'resource groups',
  collection: resourceGroups,
  properties: {
    name: { type: 'Edm.String', ignoreCase: true },
    location: { type: 'Edm.String', ignoreCase: true },
    tags: TAGS,
  },
  scan: 'bounded',
});

export const groupRoutes: readonly Route[] = [
  armRoute({
    method: 'PUT',
    path: GROUP,
    operation: 'ResourceGroups_CreateOrUpdate',
    summary: 'Creates or updates a resource group',
    action: `${ACTION}/write`,
    ownsGroup: true,
    body: ResourceGroupBody,
    responses: { 200: ResourceGroupSchema, 201: ResourceGroupSchema },
    async handle(call, arm): Promise<Answer> {
      const { location, tags, managedBy } = call.body;
      const name = checkName(call.params.resourceGroupName);
      const region = checkLocation(location);
      const checkedTags = checkTags(tags ?? undefined);
      const outcome = await mutate(call, async (tx) => {
        const key = keyOf(call, arm);
        const existing = (await tx.get(resourceGroups, key))?.value;
        if (existing?.provisioningState === 'Deleting')
          throw gatewayErrors.ResourceGroupBeingDeleted({ group: existing.name });
        if (existing && existing.location !== region) {
          throw gatewayErrors.InvalidResourceGroupLocation({
            group: existing.name,
            existing: existing.location,
            location: region,
          });
        }
        const group: ResourceGroup = {
          subscriptionId: (arm.subscription as Subscription).subscriptionId,
          name: existing?.name ?? name,
          location: region,
          tags: checkedTags,
          ...(tags && { tagged: true }),
          ...(existing?.move !== undefined && { move: existing.move }),
          ...(managedBy ? { managedBy } : existing?.managedBy && { managedBy: existing.managedBy }),
          provisioningState: 'Succeeded',
        };
        if (!existing) await reserveGroupQuota(tx, call.jar, group.subscriptionId, group.name);
        await tx.put(resourceGroups, key, group);
        return { group, isNew: existing === undefined };
      });
      const view = groupView(outcome.group, arm.prefix);
      return outcome.isNew ? created(view) : ok(view);
    },
  }),
  armRoute({
    method: 'GET',
    path: GROUP,
    operation: 'ResourceGroups_Get',
    summary: 'One resource group',
    action: `${ACTION}/read`,
    ownsGroup: true,
    responses: { 200: ResourceGroupSchema },
    handle: async (call, arm) => ok(groupView(await findGroup(call, arm), arm.prefix)),
  }),
  armRoute({
    method: 'HEAD',
    path: GROUP,
    operation: 'ResourceGroups_CheckExistence',
    summary: 'Checks whether a resource group exists: 204, or 404',
    action: `${ACTION}/read`,
    ownsGroup: true,
    async handle(call, arm) {
      await findGroup(call, arm);
      return noContent();
    },
  }),
  armRoute({
    method: 'PATCH',
    path: GROUP,
    operation: 'ResourceGroups_Update',
    summary: 'Replaces the tags of a resource group',
    action: `${ACTION}/write`,
    ownsGroup: true,
    body: ResourceGroupPatch,
    responses: { 200: ResourceGroupSchema },
    async handle(call, arm) {
      const { tags, managedBy } = call.body;
      const checkedTags = tags && checkTags(tags);
      const group = await mutate(call, async (tx) => {
        const key = keyOf(call, arm);
        const existing = (await tx.get(resourceGroups, key))?.value;
        if (!existing) throw groupNotFound(call.params.resourceGroupName);
        if (existing.provisioningState === 'Deleting')
          throw gatewayErrors.ResourceGroupBeingDeleted({ group: existing.name });
        const updated: ResourceGroup = {
          ...existing,
          ...(checkedTags && { tags: checkedTags, tagged: true }),
          ...(managedBy && { managedBy }),
        };
        await tx.put(resourceGroups, key, updated);
        return updated;
      });
      return ok(groupView(group, arm.prefix));
    },
  }),
  armRoute({
    method: 'DELETE',
    path: GROUP,
    operation: 'ResourceGroups_Delete',
    summary: 'Deletes a resource group and everything in it',
    action: `${ACTION}/delete`,
    ownsGroup: true,
    query: Type.Object({
      forceDeletionTypes: Type.Optional(
        Type.String({
          description:
            'Types to be deleted by force; without effect, because a jar always deletes all resources of a group',
        }),
      ),
    }),
    responses: { 202: 'Accepted; the Location header has the address to poll for the outcome' },
    async handle(call, arm) {
      const key = keyOf(call, arm);
      const origin = originOf(call);
      const operation = await call.jar.store.transact(async (tx) => {
        const stored = await tx.get(resourceGroups, key);
        if (!stored) throw groupNotFound(call.params.resourceGroupName);
        if (stored.value.move !== undefined)
          throw gatewayErrors.ResourceGroupBeingMoved({ group: stored.value.name }, { headers: GATEWAY_FAILURE });
        const { subscriptionId, location, deletion } = stored.value;
        // A second DELETE returns the operation of the running deletion.
        const running = deletion === undefined ? undefined : await tx.get(operations, deletion);
        if (running) return running.value;
        const now = call.jar.clock.now();
        const about = { subscriptionId, namespace: 'Vendor.Resources', location, origin };
        const begun = await beginOperation(tx, about, now);
        await tx.put(resourceGroups, key, { ...stored.value, provisioningState: 'Deleting', deletion: begun.id });
        await tx.schedule(DELETE_GROUP.at(now, { key, operation: begun.id, origin }));
        return begun;
      });
      // The change record is written when the deletion ends.
      armFacts(call).recorded = true;
      return accepted(operationHeaders(call, operation, 'location'));
    },
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/resourceGroups',
    operation: 'ResourceGroups_List',
    summary: 'The resource groups of a subscription; $filter by tagName and tagValue',
    action: `${ACTION}/read`,
    query: Type.Object(LIST_QUERY),
    responses: { 200: ResourceGroupListSchema },
    handle: (call, arm) => {
      const prefix = `${groupPath((arm.subscription as Subscription).subscriptionId, '')}`.toLowerCase();
      return listPage(call, resourceGroups, { shape, prefix }, (group) => groupView(group, arm.prefix));
    },
  }),
];

export function groupView(group: ResourceGroup, prefix: string): Record<string, unknown> {
  return {
    id: groupPath(group.subscriptionId, group.name),
    name: group.name,
    type: withPrefix(TYPE, prefix),
    location: group.location,
    ...(group.managedBy !== undefined && { managedBy: group.managedBy }),
    ...((group.tagged || Object.keys(group.tags).length > 0) && { tags: group.tags }),
    properties: { provisioningState: group.provisioningState },
  };
}

async function findGroup(call: Call<{ resourceGroupName: string }, unknown>, arm: ArmFacts): Promise<ResourceGroup> {
  const found = await readCached(call.jar.store, resourceGroups, keyOf(call, arm));
  if (!found) throw groupNotFound(call.params.resourceGroupName);
  return found.value;
}

const groupNotFound = (group: string): Error =>
  gatewayErrors.ResourceGroupNotFound({ group }, { headers: GATEWAY_FAILURE });

const keyOf = (call: { params: { resourceGroupName: string } }, arm: ArmFacts): string =>
  groupPath((arm.subscription as Subscription).subscriptionId, call.params.resourceGroupName).toLowerCase();

function checkName(name: string): string {
  const reason = name.endsWith('.')
    ? 'it must not end with a period.'
    : name.length > 90
      ? 'it is longer than 90 characters.'
      : 'only letters, digits, underscores, hyphens, periods and parentheses are allowed.';
  if (name.endsWith('.') || !NAME.test(name)) {
    throw gatewayErrors.InvalidResourceName({ name, reason }, { target: 'resourceGroupName' });
  }
  return name;
}

function checkLocation(location: string | undefined): string {
  if (location === undefined || location.trim() === '')
    throw gatewayErrors.LocationRequired({}, { target: 'location' });
  const region = normalLocation(location);
  if (isRegion(region)) return region;
  const values = { location, type: TYPE, locations: regionNames() };
  throw gatewayErrors.LocationNotAvailableForResourceType(values, { target: 'location' });
}
