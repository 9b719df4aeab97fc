import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { treeNodes } from '../tree/collections.ts';
import { childrenKeyOf, claim, follow, isEmpty, keyOf } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { removeNodeWithContent } from '../tree/purge.ts';
import { dbfsErrors } from './errors.ts';
import { makeDirectories, recordChange, treeOf } from './files.ts';

/**
 * Moves a file or a directory in a single write, since the content of a directory does not store its path. Creates missing parent
 * directories of the target.
 */
export const move = (call: PlatformCall, source: readonly string[], target: readonly string[]): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const tree = treeOf(call);
    // Without the lock, two directories moved into each other at once would become unreachable.
    await tx.lock(`platform.tree-moves:${tree}`);
    const from = source.at(-1);
    const to = target.at(-1);
    if (from === undefined) throw errors.INVALID_PARAMETER_VALUE({ reason: 'The root cannot be moved.' });
    const { nodes, missing } = await follow(tx, tree, source.slice(0, -1));
    const node = missing.length > 0 ? undefined : await claim(tx, tree, childrenKeyOf(nodes.at(-1)), from);
    if (!node) throw dbfsErrors.RESOURCE_DOES_NOT_EXIST({ path: pathOf(source) });
    if (to === undefined) throw dbfsErrors.RESOURCE_ALREADY_EXISTS({ path: '/' });
    const isWithin = source.length < target.length && source.every((name, index) => target[index] === name);
    if (isWithin)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `${pathOf(source)} cannot be moved to ${pathOf(target)}, which is within it.`,
      });
    const parent = childrenKeyOf(await makeDirectories(tx, call, target.slice(0, -1)));
    if (await claim(tx, tree, parent, to)) throw dbfsErrors.RESOURCE_ALREADY_EXISTS({ path: pathOf(target) });
    await tx.delete(treeNodes, keyOf(node));
    const moved = { ...node, parent, name: to };
    await tx.put(treeNodes, keyOf(moved), moved);
    await recordChange(tx, call, 'move', target);
  });

/** Deleting a missing path succeeds, as on the real service: therefore its command line checks first. */
export const remove = (call: PlatformCall, names: readonly string[], recursive: boolean): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const tree = treeOf(call);
    const name = names.at(-1);
    if (name === undefined) throw dbfsErrors.IO_ERROR({ reason: 'The root cannot be deleted.' });
    const { nodes, missing } = await follow(tx, tree, names.slice(0, -1));
    const node = missing.length > 0 ? undefined : await claim(tx, tree, childrenKeyOf(nodes.at(-1)), name);
    if (!node) return;
    if (node.inside !== undefined && !recursive && !(await isEmpty(tx, node)))
      throw dbfsErrors.IO_ERROR({
        reason: `The directory ${pathOf(names)} is not empty; set recursive to delete all of it.`,
      });
    await removeNodeWithContent(tx, call.jar, node);
    await recordChange(tx, call, 'delete', names);
  });
