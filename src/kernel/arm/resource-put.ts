import { readCached } from '../store/read-cached.ts';
import type { Tx } from '../store/types.ts';
import { originOf, recordOutcome } from './changes.ts';
import { type Resource, type ResourceGroup, resourceGroups, resources, type Subscription } from './collections.ts';
import { gatewayErrors } from './errors.ts';
import { groupPath, normalLocation } from './ids.ts';
import { REGIONS, regionNames } from './locations.ts';
import type { Operation } from './operations.ts';
import { reserveResourceQuota } from './quotas.ts';
import { isReservedName } from './reserved-names.ts';
import type { ResourceBody, ResourceDefinition, Written } from './resource-definition.ts';
import { parentId } from './resource-path.ts';
import type { ArmCall, ArmFacts } from './route.ts';
import { checkTags } from './tags.ts';

export interface PutOutcome<Companion> {
  readonly resource: Resource;
  readonly isNew: boolean;
  readonly companion: Companion | undefined;
  readonly operation: Operation | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly status: Written<Companion>['status'];
}

/** Creates or replaces a resource. */
export async function putResource<Prepared, Companion>(
  definition: ResourceDefinition<Prepared, Companion>,
  call: ArmCall,
  arm: ArmFacts,
  id: string,
  name: string,
): Promise<PutOutcome<Companion>> {
  const body = call.body as ResourceBody;
  if (!definition.namePattern.test(name)) {
    const reason = `it must match ${definition.namePattern.source}.`;
    throw definition.badName?.(name) ?? gatewayErrors.InvalidResourceName({ name, reason }, { target: 'name' });
  }
  const tags = checkTags((body.tags as Record<string, string> | null | undefined) ?? undefined);
  const asked = requestedLocation(definition, body.location as string | undefined);
  const { store, clock } = call.jar;
  const key = id.toLowerCase();
  const before = (await readCached(store, resources, key))?.value;
  // Existing resources keep a reserved name.
  if (!before && isReservedName(name)) throw gatewayErrors.ReservedResourceName({ name }, { target: 'name' });
  const prepared = (await definition.prepare?.(call, arm, {
    id,
    name,
    location: definition.tracked ? (asked ?? before?.location ?? arm.group?.location) : undefined,
    body,
    existing: before,
  })) as Prepared;
  const origin = originOf(call);
  const outcome = await store.transact(async (tx) => {
    await lockGroup(tx, arm);
    await lockParent(tx, key);
    const now = clock.now();
    const existing = await lockResource(tx, key);
    const location = definition.tracked ? resolveLocation(definition, asked, existing, arm) : undefined;
    const place = { id: existing?.id ?? id, key, name: existing?.name ?? name, location };
    const written = await definition.write({ tx, call, now, ...place, body, existing, prepared, origin });
    const resource: Resource = {
      id: place.id,
      subscriptionId: (arm.subscription as Subscription).subscriptionId,
      resourceGroup: (arm.group as ResourceGroup).name,
      name: place.name,
      type: definition.type,
      location,
      tags,
      properties: written.properties,
      extra: written.extra,
      createdAt: existing?.createdAt ?? now,
      changedAt: now,
    };
    if (!existing) await reserveResourceQuota(tx, call.jar, resource);
    await tx.put(resources, key, resource);
    if (!written.operation) await recordOutcome(tx, origin, now, 'Succeeded');
    const { companion, operation, headers, status } = written;
    return { resource, isNew: existing === undefined, companion, operation, headers, status };
  });
  arm.recorded = true;
  return outcome;
}

/** Locks the group against deletion during the write; the gateway checked it before the transaction. */
async function lockGroup(tx: Tx, arm: ArmFacts): Promise<void> {
  const { subscriptionId, name: group } = arm.group as ResourceGroup;
  const stored = await tx.get(resourceGroups, groupPath(subscriptionId, group).toLowerCase(), 'share');
  if (!stored) throw gatewayErrors.ResourceGroupNotFound({ group });
  if (stored.value.provisioningState === 'Deleting') throw gatewayErrors.ResourceGroupBeingDeleted({ group });
  if (stored.value.move !== undefined) throw gatewayErrors.ResourceGroupBeingMoved({ group });
}

/** Locks the parent of a child against deletion. */
async function lockParent(tx: Tx, key: string): Promise<void> {
  const parent = parentId(key);
  if (parent !== undefined && !(await tx.get(resources, parent, 'share'))) throw parentNotFound(parent);
}

export const parentNotFound = (parent: string): Error =>
  gatewayErrors.ParentResourceNotFound({ name: parent.slice(parent.lastIndexOf('/') + 1) });

/** The resource, locked against other writes until the transaction ends, even if it does not exist yet. */
async function lockResource(tx: Tx, key: string): Promise<Resource | undefined> {
  const stored = await tx.get(resources, key);
  if (stored) return stored.value;
  await tx.lock(`${resources.name}:${key}`);
  return (await tx.get(resources, key))?.value;
}

interface Located {
  readonly type: string;
  readonly tracked: boolean;
  readonly locations?: readonly string[];
  readonly locationOfGroup?: boolean;
}

function requestedLocation({ type, tracked, locations }: Located, location: string | undefined): string | undefined {
  if (!tracked || location === undefined || location.trim() === '') return undefined;
  const region = normalLocation(location);
  const offered = locations ?? REGIONS.map(({ name }) => name);
  if (offered.includes(region)) return region;
  throw gatewayErrors.LocationNotAvailableForResourceType(
    { location, type, locations: locations?.join(',') ?? regionNames() },
    { target: 'location' },
  );
}

function resolveLocation(
  { locations, locationOfGroup }: Located,
  asked: string | undefined,
  existing: Resource | undefined,
  arm: ArmFacts,
): string {
  const ofGroup = locationOfGroup && !arm.view.rules?.requires('location');
  const only = locations?.length === 1 ? locations[0] : undefined;
  const kept = existing?.location ?? (ofGroup ? arm.group?.location : only);
  if (asked === undefined) {
    if (kept !== undefined) return kept;
    throw gatewayErrors.LocationRequired({}, { target: 'location' });
  }
  if (existing?.location !== undefined && existing.location !== asked) {
    throw gatewayErrors.InvalidResourceLocation({ name: existing.name, existing: existing.location, location: asked });
  }
  return asked;
}
