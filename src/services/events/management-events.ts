import { createHash } from 'node:crypto';
import {
  canonicalNamespace,
  covers,
  type ManagementRecord,
  managementGroupIn,
  managementGroupKey,
  managementGroups,
  managementRecordOf,
  type Origin,
  type Role,
  type RoleAssignments,
  resourceGroups,
  resources,
  roleAssignments,
} from '../../kernel/arm/index.ts';
import type { FollowChanges } from '../../kernel/feed/index.ts';
import { uuid } from '../../kernel/ids/index.ts';
import type { Change, Json, Tx } from '../../kernel/store/index.ts';
import { acceptEvents } from './accept.ts';
import type { GridEvent, Publication } from './event.ts';
import type { EventsJar } from './jar.ts';
import { type EventScope, scopesOfChange } from './management-scopes.ts';
import { removeSubscriptionsOf } from './subscriptions/remove.ts';
import { scopesOfSource } from './system-topics/source.ts';

/**
 * Writes, deletions and actions of the management API are events for subscribers of the resource, its group, its subscription and the
 * management groups above.
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
    const record = managementRecordOf(change);
    const scopes = await scopesOfChange(tx, record, path);
    const subject = scopes.at(-1);
    if (!subject) continue;
    await acceptEvents(tx, jar, await publicationsOf(tx, jar, change, scopes, subject.id));
    const isGone = change.kind === 'delete' && change.outcome === 'Succeeded';
    if (isGone) await removeOrphans(tx, jar, subject, record.tenantId, change.at);
  }
};

const PUBLISHED_TO =
  /\/providers\/vendor\.eventgrid\/(?:topics|domains|domains\/[^/]+\/topics|systemTopics|partnerTopics)\/[^/]+$/i;

/** Subscriptions at topics, system topics and partner topics get only the events published there. */
const getsManagementEvents = ({ id }: EventScope): boolean => !PUBLISHED_TO.test(id);

/** When the follower processes a deletion, a resource of the same name may exist again, with subscriptions of its own. */
async function removeOrphans(
  tx: Tx,
  jar: EventsJar,
  { id, key }: EventScope,
  tenantId: string,
  deletedAt: number,
): Promise<void> {
  const group = managementGroupIn(id, []);
  const isRecreated =
    group === undefined
      ? ((await tx.get(resources, key, 'none')) ?? (await tx.get(resourceGroups, key, 'none')))
      : await tx.get(managementGroups, managementGroupKey(tenantId, group), 'none');
  await removeSubscriptionsOf(tx, jar, key, isRecreated ? deletedAt : undefined);
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
  const publications: Publication[] = [];
  for (const { id, key } of scopes.filter(getsManagementEvents))
    publications.push({
      event: { ...event, topic: id },
      scopes: await scopesOfSource(tx, key, event.type),
      at: change.at,
      quiet: true,
    });
  return publications;
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

/** Role assignment that allowed the caller to act, on the resource or above it. Prefers a role other than Reader. */
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
