import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import { type TreeNode, treeNodes } from '../tree/collections.ts';
import { childrenKeyOf, claim, follow, isDirectory, keyOf, newDirectory, newNode } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { workspaceErrors } from './errors.ts';
import { guardedOf } from './guarded.ts';
import { recordChange } from './objects.ts';
import { checkNames, type Place, shownPath, treeOf } from './places.ts';
import type { Entry } from './read-format.ts';
import { checkImported, storedContent } from './write.ts';

/** Writes an archive as a new directory, all or nothing. */
export async function writeDirectory(
  call: PlatformCall,
  place: Place,
  entries: readonly Entry[],
  overwrite: boolean,
): Promise<void> {
  const { names } = place;
  if (overwrite)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "An archive cannot be imported with 'overwrite': delete the directory first.",
    });
  for (const entry of entries) {
    checkImported(call, [...names, ...entry.names], entry.imported);
    checkNames(call, entry.names, names.length + entry.names.length - 1);
  }
  await call.jar.store.transact(async (tx) => {
    const top = await claimTop(tx, call, place);
    const nodes: TreeNode[] = [];
    for (const { head, imported } of new Plan(place, top).heads(entries, nodes))
      nodes.push({ ...head, ...(await storedContent(tx, imported)) });
    await tx.putAll(
      treeNodes,
      [top, ...nodes].map((node) => [keyOf(node), node] as const),
    );
    await recordChange(tx, call, 'import', names);
  });
}

type Directory = ReturnType<typeof newDirectory>;

/** The directory for the archive, which must not exist yet. */
async function claimTop(tx: Tx, call: PlatformCall, place: Place): Promise<Directory> {
  const { names } = place;
  const name = names.at(-1);
  if (name === undefined) throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path: shownPath(place, names) });
  const tree = treeOf(call);
  const { nodes, missing } = await follow(tx, tree, names.slice(0, -1));
  const above = nodes.at(-1);
  if (missing.length > 0 || (above && !isDirectory(above)))
    throw workspaceErrors.RESOURCE_DOES_NOT_EXIST__Parent({ path: shownPath(place, names.slice(0, -1)) });
  requireLevel(call, guardedOf(nodes), 'CAN_MANAGE');
  checkNames(call, [name], names.length);
  const parent = childrenKeyOf(above);
  if (await claim(tx, tree, parent, name))
    throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path: shownPath(place, names) });
  return newDirectory({ tree, parent, name, createdBy: callerIdentity(call).principal.id, now: call.jar.clock.now() });
}

/** Assigns places to the entries of an archive. No other transaction knows the new directory yet, so no lookups are needed. */
class Plan {
  readonly #place: Place;
  readonly #top: Directory;
  /** By path relative to the top directory. */
  readonly #directories: Map<string, Directory>;
  readonly #files = new Set<string>();

  constructor(place: Place, top: Directory) {
    this.#place = place;
    this.#top = top;
    this.#directories = new Map([['/', top]]);
  }

  /** The files before their bytes are stored. Adds the directories on their paths to `made`. */
  *heads(entries: readonly Entry[], made: TreeNode[]) {
    for (const { names, imported } of entries) {
      const { inside } = this.#directory(names.slice(0, -1), made);
      const path = pathOf(names);
      if (this.#files.has(path) || this.#directories.has(path)) throw this.#existing(names);
      this.#files.add(path);
      yield { head: newNode({ ...this.#given(), parent: inside, name: names.at(-1) as string }), imported };
    }
  }

  #directory(names: readonly string[], made: TreeNode[]): Directory {
    const path = pathOf(names);
    const known = this.#directories.get(path);
    if (known) return known;
    if (this.#files.has(path)) throw this.#existing(names);
    const { inside } = this.#directory(names.slice(0, -1), made);
    const directory = newDirectory({ ...this.#given(), parent: inside, name: names.at(-1) as string });
    this.#directories.set(path, directory);
    made.push(directory);
    return directory;
  }

  #given() {
    const { tree, createdBy, createdAt: now } = this.#top;
    return { tree, createdBy, now };
  }

  #existing(names: readonly string[]): Error {
    const path = shownPath(this.#place, [...this.#place.names, ...names]);
    return workspaceErrors.RESOURCE_ALREADY_EXISTS({ path });
  }
}
