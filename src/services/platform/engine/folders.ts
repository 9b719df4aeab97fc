import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import { findById, follow, isDirectory } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { workspaceErrors } from '../workspace/errors.ts';
import { findNodes } from '../workspace/objects.ts';
import { homeName, isProtected, treeOf, workspaceNames } from '../workspace/places.ts';
import { textOf } from './json.ts';
import type { ObjectKind } from './kind.ts';
import { objects, type PlatformObject, placeOf } from './objects.ts';

/** Objects that are shown in folders of the workspace: queries, alerts, dashboards. */

const PREFIX = '/Workspace';

/**
 * The path of a folder as stored, without `/Workspace`; by default the caller's home. The folder must exist, and the caller must be able to
 * edit its content. The older API names folders by the numbers of their directories.
 */
async function folderPath(tx: Tx, call: PlatformCall, sent: string | undefined): Promise<string> {
  const home = ['Users', homeName(call)];
  const names = sent === undefined || sent === '' ? home : await namesOfFolder(tx, call, sent);
  const path = pathOf(names);
  // The first call to the API of workspace objects creates these folders, so they may not exist yet.
  if (names.length < 2 ? isProtected(names) : path === pathOf(home)) return path;
  const last = (await findNodes(call, { names, mount: '' }, 'CAN_EDIT', tx)).at(-1);
  if (last && !isDirectory(last)) throw noFolder(path);
  return path;
}

async function namesOfFolder(tx: Tx, call: PlatformCall, sent: string): Promise<readonly string[]> {
  const number = /^folders\/(\d+)$/.exec(sent)?.[1];
  if (number === undefined) return workspaceNames(sent, 'parent_path');
  const nodes = await findById(tx, treeOf(call), number);
  if (!nodes) throw noFolder(sent);
  return nodes.map(({ name }) => name);
}

const noFolder = (path: string) => workspaceErrors.RESOURCE_DOES_NOT_EXIST({ path: path.slice(0, 300) });

/** The numbers by which the older API names the folders of these objects. A deleted folder has none. */
export async function numberedFolders(
  call: PlatformCall,
  found: readonly Pick<PlatformObject, 'folder'>[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = new Map<string, string>();
  for (const folder of new Set(found.map((each) => each.folder ?? '/'))) {
    const { nodes, missing } = await follow(call.jar.store, treeOf(call), workspaceNames(folder));
    const id = missing.length === 0 ? nodes.at(-1)?.id : undefined;
    if (id !== undefined) numbers.set(folder, `folders/${id}`);
  }
  return numbers;
}

/** The path that clients see. */
export const shownFolder = (folder: string): string => `${PREFIX}${folder}`;

/** A name that is free in the folder: the name itself, or with a suffix such as ` (1)`. Must be called in the transaction that uses it. */
async function freeName(tx: Tx, { kind, scope, folder, name, id }: Wanted): Promise<string> {
  const place = placeOf(scope, kind.name);
  // Transactions that look for a similar name wait until this one has used its name.
  await tx.lock(`platform.names:${place}:${name.toLowerCase()}`);
  const isFree = async (wanted: string): Promise<boolean> => {
    const filter = allOf(
      eq('folder', `${place}/${folder.toLowerCase()}`),
      eq('name', wanted.toLowerCase()),
      eq('trashedAt', null),
    );
    const { items } = await tx.query(objects, { filter, limit: 2 });
    return items.every(({ value }) => value.id === id);
  };
  const numbered = (number: number): string => `${name} (${number})`;
  if (await isFree(name)) return name;
  // Exponential and binary search, so that few of thousands of such names are looked up.
  let [used, free] = [0, 1];
  while (!(await isFree(numbered(free)))) [used, free] = [free, free * 2];
  while (free - used > 1) {
    const middle = (used + free) >> 1;
    if (await isFree(numbered(middle))) free = middle;
    else used = middle;
  }
  return numbered(free);
}

interface Wanted {
  readonly kind: ObjectKind;
  readonly scope: string;
  readonly folder: string;
  readonly name: string;
  readonly id: string | undefined;
}

/**
 * For the check hook of such a kind: resolves the folder if it changes and keeps it otherwise; validates the name, and makes it unique if
 * the request asks for that.
 */
export async function inFolder(
  tx: Tx,
  call: PlatformCall,
  kind: ObjectKind,
  fields: JsonMembers,
  before: PlatformObject | undefined,
): Promise<JsonMembers> {
  const [folderField, nameField] = [kind.folderField ?? '', kind.nameField ?? ''];
  const sent = textOf(fields[folderField]);
  const stays = before && (sent === undefined || sent === before.folder);
  const folder = stays ? (before.folder ?? '/') : await folderPath(tx, call, sent);
  const { id: scope } = workspaceIn(call);
  const name = textOf(fields[nameField]) ?? '';
  checkBound(call.jar, 'object-name-length', [scope], name.length);
  const resolves = resolvesNames(call);
  const free = resolves ? await freeName(tx, { kind, scope, folder, name, id: before?.id }) : name;
  checkBound(call.jar, 'object-name-length', [scope], free.length);
  return { [folderField]: folder, [nameField]: free };
}

/** `auto_resolve_display_name` is next to the object in the body. */
function resolvesNames({ body }: PlatformCall): boolean {
  const asked = isObject(body) ? body.auto_resolve_display_name : undefined;
  if (asked === undefined || asked === null || typeof asked === 'boolean') return asked === true;
  throw errors.MALFORMED_REQUEST({
    reason: "Could not parse request object: the field 'auto_resolve_display_name' must be a boolean.",
  });
}
