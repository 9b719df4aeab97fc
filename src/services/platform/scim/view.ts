import type { Reader } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { nameOf } from '../access/standing.ts';
import type { Entitlements, Principal, PrincipalKind } from '../accounts/collections.ts';
import { entitlementsOf } from '../accounts/entitlements.ts';
import { groupsOfEach, membersOf } from '../accounts/members.ts';
import { principalsOf } from '../accounts/principals.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import type { ScimPlace } from './place.ts';
import type { Projection } from './projection.ts';

interface GroupOf {
  readonly group: Principal;
  readonly isDirect: boolean;
}

/** Data of other documents that resources show. */
interface Surroundings {
  readonly groups: ReadonlyMap<string, readonly GroupOf[]>;
  readonly members: ReadonlyMap<string, readonly Principal[]>;
  readonly entitlements: ReadonlyMap<string, Entitlements>;
}

/** These principals as resources of a place. Attributes that the projection excludes are not read. */
export async function viewsOf(
  reader: Reader,
  place: ScimPlace,
  found: readonly Principal[],
  projection: Pick<Projection, 'includes'>,
): Promise<readonly JsonMembers[]> {
  const ids = found.map(({ id }) => id);
  const wants = (...names: readonly string[]): boolean => names.some((name) => projection.includes(name));
  const { account, workspace } = place;
  const around: Surroundings = {
    groups: wants('groups') ? await groupsAbove(reader, place, ids) : new Map(),
    members: wants('members') ? await membersOfEach(reader, found) : new Map(),
    entitlements:
      workspace && wants('entitlements', 'roles')
        ? await entitlementsOf(reader, account.id, workspace.id, ids)
        : new Map(),
  };
  return found.map((principal) => viewOf(place, principal, around));
}

function viewOf({ workspace, kind }: ScimPlace, principal: Principal, around: Surroundings): JsonMembers {
  const { id, userName, applicationId, displayName, name, emails = [], externalId, workspaceId } = principal;
  const given = around.entitlements.get(id);
  const roles = workspace ? (given?.roles ?? []) : principal.roles;
  const { schemas, title } = RESOURCE_KINDS[kind];
  const all: JsonMembers = {
    schemas,
    id,
    userName,
    applicationId,
    externalId,
    displayName,
    name: name && (name.givenName ?? name.familyName) !== undefined ? name : undefined,
    emails: notEmpty(emails),
    active: kind === 'group' ? undefined : isActiveIn(principal, workspace?.id),
    members: notEmpty((around.members.get(id) ?? []).map(memberView)),
    groups: notEmpty((around.groups.get(id) ?? []).map(groupView)),
    entitlements: notEmpty((given?.entitlements ?? []).map((value) => ({ value }))),
    roles: notEmpty(roles.map((value) => ({ value }))),
    meta: {
      resourceType: workspaceId === undefined ? title : `Workspace${title}`,
      created: new Date(principal.createdAt).toISOString(),
      lastModified: new Date(principal.updatedAt).toISOString(),
    },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JsonMembers;
}

export const isActiveIn = ({ active, inactiveIn = [] }: Principal, workspaceId: string | undefined): boolean =>
  active && (workspaceId === undefined || !inactiveIn.includes(workspaceId));

/** Resources omit empty lists. */
const notEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

const refOf = (kind: PrincipalKind, id: string): string => `${RESOURCE_KINDS[kind].path}/${id}`;

const memberView = (member: Principal) => ({
  value: member.id,
  display: member.displayName ?? nameOf(member),
  $ref: refOf(member.kind, member.id),
});

const groupView = ({ group, isDirect }: GroupOf) => ({
  value: group.id,
  display: group.displayName ?? group.id,
  type: isDirect ? 'direct' : 'indirect',
  $ref: refOf('group', group.id),
});

async function membersOfEach(
  reader: Reader,
  found: readonly Principal[],
): Promise<ReadonlyMap<string, readonly Principal[]>> {
  const all = new Map<string, readonly Principal[]>();
  for (const { id, accountId, kind } of found) {
    if (kind !== 'group') continue;
    const ids = await membersOf(reader, accountId, id);
    const known = await principalsOf(reader, accountId, ids);
    all.set(
      id,
      ids.flatMap((member) => known.get(member) ?? []),
    );
  }
  return all;
}

/**
 * The groups of each principal that are visible in the place, direct groups first. All principals are walked together, one query per level.
 */
async function groupsAbove(
  reader: Reader,
  { account, workspace }: ScimPlace,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly GroupOf[]>> {
  const parents = new Map<string, readonly string[]>();
  for (let level = ids; level.length > 0; ) {
    const found = await groupsOfEach(reader, account.id, level);
    for (const id of level) parents.set(id, found.get(id) ?? []);
    level = [...new Set([...found.values()].flat())].filter((id) => !parents.has(id));
  }
  const known = await principalsOf(reader, account.id, new Set([...parents.values()].flat()));
  const isHere = (group: Principal): boolean =>
    workspace
      ? group.workspaceId === workspace.id || (group.workspaces ?? []).includes(workspace.id)
      : group.workspaceId === undefined;
  const groupsOf = (id: string): readonly GroupOf[] => {
    const direct = parents.get(id) ?? [];
    const all = new Set(direct);
    for (const group of all) for (const above of parents.get(group) ?? []) all.add(above);
    return [...all].flatMap((each) => {
      const group = known.get(each);
      return group && isHere(group) ? { group, isDirect: direct.includes(each) } : [];
    });
  };
  return new Map(ids.map((id) => [id, groupsOf(id)]));
}
