import type { Reader } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { Principal, Workspace } from '../accounts/collections.ts';
import { principalsOf } from '../accounts/principals.ts';
import type { AclEntry } from './acl.ts';
import type { Guarded } from './guard.ts';
import { levelsOf, type ObjectType, typeRow } from './levels.ts';
import { GUARDED_KINDS } from './registry.ts';

/** Objects in the workspace's tree inherit from the root of the tree, all others from the root of their type. */
const IN_TREE: ReadonlySet<ObjectType> = new Set(['notebooks', 'files', 'directories', 'repos', 'experiments']);

const prefixOf = (type: ObjectType): string => typeRow(type).idPrefix ?? type;

const rootOf = (type: ObjectType): string => `/${IN_TREE.has(type) ? 'directories' : prefixOf(type)}/`;

const objectId = ({ type, id }: Guarded): string => `/${prefixOf(type)}/${id}`;

interface Given {
  readonly principal: string;
  readonly level: string;
  /** Absent: granted directly. */
  readonly from?: string;
}

/** All permissions on an object: its own, those of its parent directories, and that of the administrators. */
function allGiven(guarded: Guarded, { adminsGroup }: Workspace): readonly Given[] {
  const { levels } = typeRow(guarded.type);
  const given = ({ acl }: Guarded, from?: string): readonly Given[] =>
    acl.map(({ principal, level }: AclEntry) => ({ principal, level, ...(from !== undefined && { from }) }));
  return [
    ...given(guarded),
    ...(guarded.parents ?? []).flatMap((parent) => given(parent, objectId(parent))),
    { principal: adminsGroup, level: levels.at(-1) as string, from: rootOf(guarded.type) },
  ];
}

/** The permissions of an object on the wire, without entries of deleted principals. */
export async function permissionsView(reader: Reader, workspace: Workspace, guarded: Guarded): Promise<JsonMembers> {
  const all = new Map<string, Given[]>();
  for (const given of allGiven(guarded, workspace))
    all.set(given.principal, [...(all.get(given.principal) ?? []), given]);
  const known = await principalsOf(reader, workspace.accountId, all.keys());
  const { type, id } = guarded;
  return {
    object_id: objectId(guarded),
    object_type: GUARDED_KINDS[type]?.objectType?.(id) ?? typeRow(type).objectType,
    access_control_list: [...all].flatMap(([principalId, permissions]) => {
      const principal = known.get(principalId);
      return principal ? { ...principalView(principal), all_permissions: permissions.map(permissionView) } : [];
    }),
  };
}

export const principalView = ({ kind, userName, applicationId, displayName }: Principal): JsonMembers =>
  kind === 'group'
    ? { group_name: displayName ?? '' }
    : omitAbsent({ user_name: userName, service_principal_name: applicationId, display_name: displayName });

const permissionView = ({ level, from }: Given): JsonMembers => ({
  permission_level: level,
  inherited: from !== undefined,
  ...(from !== undefined && { inherited_from_object: [from] }),
});

const WORDS: Readonly<Record<string, string>> = {
  CAN_ATTACH_TO: 'Can attach to',
  CAN_RESTART: 'Can restart',
  CAN_MANAGE_RUN: 'Can manage runs of',
  CAN_MANAGE_STAGING_VERSIONS: 'Can manage staging versions of',
  CAN_MANAGE_PRODUCTION_VERSIONS: 'Can manage production versions of',
  CAN_MONITOR: 'Can use and monitor',
  IS_OWNER: 'Is the owner of',
};

/** The levels of a type with their descriptions. */
export function levelsView({ type, id }: Pick<Guarded, 'type' | 'id'>): JsonMembers {
  const { objectType } = typeRow(type);
  const levels = levelsOf(type, id);
  const what = GUARDED_KINDS[type]?.objectType?.(id) ?? objectType;
  const words = (level: string): string =>
    WORDS[level] ?? `${level[0]}${level.slice(1).toLowerCase().replaceAll('_', ' ')}`;
  return {
    permission_levels: levels.map((level) => ({ permission_level: level, description: `${words(level)} the ${what}` })),
  };
}
