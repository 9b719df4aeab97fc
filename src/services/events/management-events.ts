import { createHash } from 'node:crypto';
import {
  canonicalNamespace,
  covers,
  groupsUpFrom,
  isRootGroup,
  type ManagementRecord,
  managementGroupIn,
  managementGroupKey,
  managementGroupPath,
  managementGroups,
  managementRecordOf,
  type Origin,
  type Role,
  type RoleAssignments,
  resourceGroups,
  resources,
  roleAssignments,
  subscriptions,
} from '../../kernel/arm/index.ts';
import type { FollowChanges } from '../../kernel/feed/index.ts';
import { uuid } from '../../kernel/ids/index.ts';
import type { Change, Collection, Json, Tx } from '../../kernel/store/index.ts';
import { acceptEvents } from './accept.ts';
import { scopeKey } from './collections.ts';
import type { GridEvent, Publication } from './event.ts';
import type { EventsJar } from './jar.ts';
import { removeSubscriptionsOf } from './subscriptions/remove.ts';

/**
 * What is written, deleted or acted upon in the jar is an event for those who subscribed to it, to its group, to its subscription or to a
 * management group above that.
 */

const KINDS: Readonly<Record<string, string>> = { write: 'Write', delete: 'Delete', action: 'Action' };
const OUTCOMES: Readonly<Record<Change['outcome'], string>> = {
  Succeeded: 'Success',
  Failed: 'Failure',
  Canceled: 'Cancel',
};

const ROLE_DEFINITIONS: Readonly<Record<Role, string>> = {
  Owner: '8e3af657a8ff443ca75c2fe8c4bcb635',
  Contributor: 'b24988ac618042a0ab8820f7382dd24c',
  Reader: 'acdd72a7338548efbd42f606fba81ae7',
};

export const managementEvents: FollowChanges<EventsJar> = async (tx, changes, jar) => {
  for (const change of changes) {
    const path = canonicalPath(change.subject, jar.config.namespace);
    const own = scopesOf(path);
    const [widest] = own;
    const resourceUri = own.at(-1);
    if (widest === undefined || resourceUri === undefined) continue;
    const record = managementRecordOf(change);
    const group = managementGroupIn(widest, []);
    const tenantId = group === undefined ? undefined : record.tenantId;
    const scopes = [
      ...(await groupsAbove(tx, record, widest, group)),
      ...own.map((id) => ({ id, key: scopeKey(id, tenantId) })),
    ];
    await acceptEvents(tx, jar, await publicationsOf(tx, jar, change, scopes, resourceUri));
    const isGone = change.kind === 'delete' && change.outcome === 'Succeeded';
    if (isGone) await removeOrphans(tx, jar, resourceUri, tenantId, change.at);
  }
};

const PUBLISHED_TO = /\/providers\/vendor\.eventgrid\/(?:topics|domains|domains\/[^/]+\/topics)\/[^/]+$/i;

/** Subscriptions at topics and domains are for what is published there, and for nothing else. */
const hearsOfManagement = ({ id }: EventScope): boolean => !PUBLISHED_TO.test(id);

/** By the time a deletion is heard of, something of that name may have been made anew, with subscriptions of its own. */
async function removeOrphans(
  tx: Tx,
  jar: EventsJar,
  id: string,
  tenantId: string | undefined,
  deletedAt: number,
): Promise<void> {
  const key = scopeKey(id, tenantId);
  const group = tenantId === undefined ? undefined : managementGroupIn(id, []);
  const isThereAgain =
    tenantId !== undefined && group !== undefined
      ? await tx.get(managementGroups, managementGroupKey(tenantId, group), 'none')
      : ((await tx.get(resources, key, 'none')) ?? (await tx.get(resourceGroups, key, 'none')));
  await removeSubscriptionsOf(tx, jar, key, isThereAgain ? deletedAt : undefined);
}

/** What events are for, with its key in the store. */
interface EventScope {
  readonly id: string;
  readonly key: string;
}

/** The management groups above a subscription or a management group, from the root down. */
async function groupsAbove(
  tx: Tx,
  record: ManagementRecord,
  widest: string,
  group: string | undefined,
): Promise<EventScope[]> {
  const place = await placeInTree(tx, record, widest, group);
  if (!place) return [];
  const { tenantId, above } = place;
  return above.toReversed().map((name) => {
    const id = managementGroupPath(name);
    return { id, key: scopeKey(id, tenantId) };
  });
}

/** The names of the groups above, the nearest first. */
async function placeInTree(
  tx: Tx,
  record: ManagementRecord,
  widest: string,
  group: string | undefined,
): Promise<{ tenantId: string; above: readonly string[] } | undefined> {
  const read = <T>(collection: Collection<T>, key: string) => tx.get(collection, key, 'none');
  if (group !== undefined) {
    const { tenantId, managementGroups: recorded } = record;
    if (recorded) return { tenantId, above: recorded };
    if (isRootGroup(tenantId, group)) return { tenantId, above: [] };
    const chain = (await groupsUpFrom(read, tenantId, group)) ?? [];
    return { tenantId, above: [...chain.slice(1).map(({ name }) => name), tenantId] };
  }
  const subscription = (await read(subscriptions, widest.split('/')[2]?.toLowerCase() ?? ''))?.value;
  if (!subscription) return undefined;
  const { tenantId, managementGroup } = subscription;
  const chain = managementGroup === undefined ? [] : await groupsUpFrom(read, tenantId, managementGroup);
  return { tenantId, above: [...(chain ?? []).map(({ name }) => name), tenantId] };
}

async function publicationsOf(
  tx: Tx,
  { config }: EventsJar,
  change: Change,
  scopes: readonly EventScope[],
  resourceUri: string,
): Promise<Publication[]> {
  const origin = managementRecordOf(change);
  const ids = scopes.map(({ id }) => id);
  const roles = (await tx.get(roleAssignments, origin.caller.objectId.toLowerCase(), 'none'))?.value;
  const event: Omit<GridEvent, 'topic'> = {
    schema: 'EventGridSchema',
    id: uuid(),
    type: `Vendor.Resources.Resource${KINDS[change.kind]}${OUTCOMES[change.outcome]}`,
    subject: resourceUri,
    time: new Date(change.at).toISOString(),
    dataVersion: '2',
    data: dataOf(origin, change, resourceUri, evidenceOf(origin, resourceUri, roles, config.namespace, ids)),
  };
  return scopes.filter(hearsOfManagement).map(({ id, key }) => ({
    event: { ...event, topic: id },
    scopes: [key],
    at: change.at,
    quiet: true,
  }));
}

function dataOf(origin: ManagementRecord, { outcome }: Change, resourceUri: string, evidence: Json): Json {
  const { operationName, claims, correlationId, httpRequest, resourceProvider, subscriptionId, tenantId } = origin;
  return {
    authorization: { scope: resourceUri, action: operationName, evidence },
    claims,
    correlationId,
    httpRequest: { ...httpRequest },
    resourceProvider,
    resourceUri,
    operationName,
    status: outcome,
    subscriptionId,
    tenantId,
  };
}

/** By which role the caller was allowed to, there or above; one that may only read is named where there is no other. */
export function evidenceOf(
  { caller }: Pick<Origin, 'caller'>,
  resourceUri: string,
  roles: RoleAssignments | undefined,
  aliases: readonly string[],
  above: readonly string[] = [],
) {
  const places = [resourceUri, ...above];
  const there = roles?.assignments.filter(({ scope }) => places.some((each) => covers(scope, each, aliases))) ?? [];
  const held = there.find(({ role }) => role !== 'Reader') ?? there[0];
  const role = held?.role ?? 'Reader';
  return {
    role,
    roleAssignmentScope: held?.scope ?? '/',
    roleAssignmentId: createHash('md5').update(`${caller.objectId} ${held?.scope}`).digest('hex'),
    roleDefinitionId: ROLE_DEFINITIONS[role],
    principalId: caller.objectId.replaceAll('-', ''),
    principalType: caller.kind === 'user' ? 'User' : 'ServicePrincipal',
  };
}

function canonicalPath(path: string, aliases: EventsJar['config']['namespace']): string {
  return path.replace(/(\/providers\/)([^/]+)/gi, (_, providers: string, name: string) => {
    return providers + canonicalNamespace(name, aliases);
  });
}

/** `/providers/Vendor.Management/managementGroups/{name}` */
const GROUP_SEGMENTS = 4;

/**
 * From the widest to the resource itself: its subscription or management group, its group, what it is a part of. An action behind its name
 * is no part of it.
 */
export function scopesOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  const inGroup = managementGroupIn(`/${segments.slice(0, GROUP_SEGMENTS).join('/')}`, []) !== undefined;
  if (!inGroup && (segments[0]?.toLowerCase() !== 'subscriptions' || segments[1] === undefined)) return [];
  let at = inGroup ? GROUP_SEGMENTS : 2;
  const scopes = [`/${segments.slice(0, at).join('/')}`];
  if (segments[at]?.toLowerCase() === 'resourcegroups' && segments[at + 1] !== undefined) {
    at += 2;
    scopes.push(`/${segments.slice(0, at).join('/')}`);
  }
  while (at < segments.length) {
    if (segments[at]?.toLowerCase() === 'providers') at += 2;
    if (segments[at + 1] === undefined) break;
    at += 2;
    scopes.push(`/${segments.slice(0, at).join('/')}`);
  }
  return scopes;
}
