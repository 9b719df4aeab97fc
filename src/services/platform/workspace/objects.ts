import type { Filter, Reader, Tx } from '../../../kernel/store/index.ts';
import { wholeNumber } from '../engine/paging.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { allows, readersFilter, requireLevel } from '../permissions/guard.ts';
import { childrenOf } from '../tree/children.ts';
import type { TreeNode } from '../tree/collections.ts';
import { addDirectories, childrenKeyOf, claim, follow, isDirectory, isEmpty } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { removeNodeWithContent } from '../tree/purge.ts';
import { workspaceErrors } from './errors.ts';
import { guardedOf } from './guarded.ts';
import { checkNames, isOpen, isProtected, type Place, ROOT_NAMES, shownPath, treeOf } from './places.ts';

/** The nodes on a path, if the caller has a level on the last one. Empty for the root. */
export async function findNodes(
  call: PlatformCall,
  place: Place,
  level = 'CAN_READ',
  reader: Reader = call.jar.store,
): Promise<readonly TreeNode[]> {
  const nodes = await nodesOn(call, place, reader);
  requireLevel(call, guardedOf(nodes), level);
  return nodes;
}

/** The same for listing: every user may list the predefined directories of the workspace, which show only readable entries. */
export async function findForListing(call: PlatformCall, place: Place): Promise<readonly TreeNode[]> {
  const nodes = await nodesOn(call, place, call.jar.store);
  const last = nodes.at(-1);
  const isLookedInto = (!last || isDirectory(last)) && isOpen(childrenKeyOf(last));
  if (!isLookedInto) requireLevel(call, guardedOf(nodes), 'CAN_READ');
  return nodes;
}

async function nodesOn(call: PlatformCall, place: Place, reader: Reader): Promise<readonly TreeNode[]> {
  const { nodes, missing } = await follow(reader, treeOf(call), place.names);
  if (missing.length > 0) throw workspaceErrors.RESOURCE_DOES_NOT_EXIST({ path: shownPath(place, place.names) });
  return nodes;
}

/** `ObjectInfo` of the API. */
export function objectInfo(path: string, node: TreeNode | undefined) {
  if (!node) return { path, object_type: 'DIRECTORY', object_id: 0, resource_id: '0' };
  const { id, type, language, size = 0, createdAt, modifiedAt } = node;
  return {
    path,
    object_type: type,
    object_id: Number(id),
    resource_id: id,
    ...(type === 'NOTEBOOK' && { language }),
    ...(type === 'FILE' && { size }),
    ...(!isDirectory(node) && { created_at: createdAt, modified_at: modifiedAt }),
  };
}

/** The entries of a directory that the caller may read, or the object itself if it is not a directory. */
export async function listObjects(call: PlatformCall, place: Place) {
  const { names } = place;
  const since = wholeNumber(call.query, 'notebooks_modified_after');
  const nodes = await findForListing(call, place);
  const node = nodes.at(-1);
  if (node && !isDirectory(node)) return [objectInfo(shownPath(place, names), node)];
  const readsAll = allows(call, guardedOf(nodes), 'CAN_READ');
  const filter: Filter | undefined = readsAll || !node ? undefined : readersFilter(call);
  const children = await childrenOf(call.jar.store, treeOf(call), childrenKeyOf(node), names, filter);
  return children
    .filter((child) => readsAll || node || isSeenInRoot(call, child))
    .filter(({ type, modifiedAt }) => since === undefined || type !== 'NOTEBOOK' || modifiedAt > since)
    .map((child) => objectInfo(shownPath(place, [...names, child.name]), child));
}

function isSeenInRoot(call: PlatformCall, { name, acl = [] }: TreeNode): boolean {
  const held = new Set(callerIdentity(call).ids);
  return Object.hasOwn(ROOT_NAMES, name) || acl.some(({ principal }) => held.has(principal));
}

export async function makeDirectories(tx: Tx, call: PlatformCall, place: Place): Promise<void> {
  const { names } = place;
  const existing = (at: readonly string[]) => workspaceErrors.RESOURCE_ALREADY_EXISTS({ path: shownPath(place, at) });
  const tree = treeOf(call);
  const way = await follow(tx, tree, names);
  const last = way.nodes.at(-1);
  if (last && !isDirectory(last)) throw existing(names.slice(0, way.nodes.length));
  if (way.missing.length === 0) return;
  checkNames(call, way.missing, names.length);
  requireLevel(call, guardedOf(way.nodes), 'CAN_MANAGE');
  const createdBy = callerIdentity(call).principal.id;
  const made = await addDirectories(tx, way, { tree, createdBy, now: call.jar.clock.now() });
  if (made && !isDirectory(made)) throw existing(names);
  await recordChange(tx, call, 'mkdirs', names);
}

export const removeObject = (call: PlatformCall, place: Place, recursive: boolean): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const { names } = place;
    const path = shownPath(place, names);
    if (isProtected(names)) throw workspaceErrors.DIRECTORY_PROTECTED({ path });
    const above = await follow(tx, treeOf(call), names.slice(0, -1));
    const parent = above.nodes.at(-1);
    const node =
      above.missing.length > 0
        ? undefined
        : await claim(tx, treeOf(call), childrenKeyOf(parent), names.at(-1) as string);
    if (!node) throw workspaceErrors.RESOURCE_DOES_NOT_EXIST({ path });
    requireLevel(call, guardedOf([...above.nodes, node]), 'CAN_MANAGE');
    if (isDirectory(node) && !recursive && !(await isEmpty(tx, node)))
      throw workspaceErrors.DIRECTORY_NOT_EMPTY({ path });
    await removeNodeWithContent(tx, call.jar, node);
    await recordChange(tx, call, 'delete', names);
  });

export const recordChange = (tx: Tx, call: PlatformCall, kind: string, names: readonly string[]): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceIn(call).id}/workspace${pathOf(names)}`,
    outcome: 'Succeeded',
    at: call.jar.clock.now(),
    data: { path: pathOf(names) },
  });
