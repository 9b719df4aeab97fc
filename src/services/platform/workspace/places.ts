import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import type { AclEntry } from '../permissions/acl.ts';
import { nodeKey, ROOT, type TreeNode, treeNodes } from '../tree/collections.ts';
import { claim, keyOf, newDirectory } from '../tree/nodes.ts';
import { namesOn, pathOf } from '../tree/paths.ts';

/** The predefined directories of every workspace. Their `inside` ids are fixed, so that a home directory is found by its key. */
const USERS = 'users';
const SHARED = 'shared';
const REPOS = 'repos';
export const ROOT_NAMES: Readonly<Record<string, string>> = { Users: USERS, Shared: SHARED, Repos: REPOS };

export const treeOfWorkspace = (workspaceId: string): string => `${workspaceId}/files`;
export const treeOf = (call: Pick<PlatformCall, 'facts'>): string => treeOfWorkspace(workspaceIn(call).id);

const MOUNT = 'Workspace';

/** A path as a caller wrote it. The prefix `/Workspace` is an alias of the root; responses repeat it, since clients compare paths. */
export interface Place {
  readonly names: readonly string[];
  /** `/Workspace`, or empty. */
  readonly mount: string;
}

export function placeAt(path: string, field = 'path'): Place {
  const names = namesOn(path, field);
  if (names[0] !== MOUNT) return { names, mount: '' };
  if (names[1] === MOUNT)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' contains the root '/${MOUNT}' twice.` });
  // The real service omits the prefix if the path starts with two slashes.
  return { names: names.slice(1), mount: path.startsWith('//') ? '' : `/${MOUNT}` };
}

/** The names on a path, with or without the prefix `/Workspace`. */
export const workspaceNames = (path: string, field = 'path'): readonly string[] => placeAt(path, field).names;

/** The path of a place, or of one of its parents or descendants. */
export const shownPath = ({ mount }: Pick<Place, 'mount'>, names: readonly string[]): string =>
  names.length === 0 && mount !== '' ? mount : `${mount}${pathOf(names)}`;

/** Throws if a name is too long, or the directories are nested too deeply. */
export function checkNames(call: PlatformCall, names: readonly string[], directories: number): void {
  const scope = [workspaceIn(call).id];
  for (const name of names) checkBound(call.jar, 'object-name-length', scope, [...name].length);
  checkBound(call.jar, 'folder-depth', scope, directories);
}

/** The name of the caller's directory in `/Users` and in `/Repos`. */
export function homeName(call: Pick<PlatformCall, 'facts'>): string {
  const { userName, applicationId, id } = callerIdentity(call).principal;
  return (userName ?? applicationId ?? id).replaceAll('/', '_');
}

/** Creates the predefined directories of the workspace and of the caller, if they are missing. */
export async function ensureHome(call: PlatformCall): Promise<void> {
  const { store, clock } = call.jar;
  const tree = treeOf(call);
  const name = homeName(call);
  if (await store.get(treeNodes, nodeKey(tree, USERS, name))) return;
  const { id, kind } = callerIdentity(call).principal;
  const now = clock.now();
  const everybody: AclEntry = { kind: 'group', principal: workspaceIn(call).usersGroup, level: 'CAN_MANAGE' };
  await store.transact(async (tx) => {
    const directory = (parent: string, named: string): TreeNode =>
      newDirectory({ tree, parent, name: named, createdBy: id, now });
    for (const [named, inside] of Object.entries(ROOT_NAMES))
      await addIfMissing(tx, { ...directory(ROOT, named), inside, ...(inside === SHARED && { acl: [everybody] }) });
    const own = [{ kind, principal: id, level: 'CAN_MANAGE' }];
    for (const parent of [USERS, REPOS]) await addIfMissing(tx, { ...directory(parent, name), acl: own });
  });
}

/** Creates the caller's directory in `/Repos`, which the caller may have deleted, unlike the home directory. */
export async function ensureReposHome(call: PlatformCall): Promise<void> {
  const { store, clock } = call.jar;
  const tree = treeOf(call);
  const name = homeName(call);
  if (await store.get(treeNodes, nodeKey(tree, REPOS, name))) return;
  const { id, kind } = callerIdentity(call).principal;
  const made = newDirectory({ tree, parent: REPOS, name, createdBy: id, now: clock.now() });
  await store.transact((tx) => addIfMissing(tx, { ...made, acl: [{ kind, principal: id, level: 'CAN_MANAGE' }] }));
}

async function addIfMissing(tx: Tx, node: TreeNode): Promise<void> {
  if (!(await claim(tx, node.tree, node.parent, node.name))) await tx.put(treeNodes, keyOf(node), node);
}

/** Every user may list these, and sees the entries that they have permissions on. */
export const isOpen = (inside: string): boolean => inside === ROOT || inside === USERS || inside === REPOS;

/** Directories that cannot be deleted: those of the workspace, and home directories. */
export const isProtected = (names: readonly string[]): boolean =>
  names.length === 0 ||
  (names.length === 1 && Object.hasOwn(ROOT_NAMES, names[0] as string)) ||
  (names.length === 2 && names[0] === 'Users');
