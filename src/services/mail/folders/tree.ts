import { allOf, eq, type Reader, readAll } from '../../../kernel/store/index.ts';
import { folders } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { Folder } from './types.ts';

/** Queries on the folder tree. Depth and number of folders are bounded (`limits.ts`), so every result fits into memory. */

/** A folder and all its descendants: the folder first, parents before children. */
export async function subtreeOf(reader: Reader, folder: Folder): Promise<readonly Folder[]> {
  return (await levelsOf(reader, folder)).flat();
}

/** The folder itself, then its children, then their children, and so on. */
export async function levelsOf(reader: Reader, folder: Folder): Promise<readonly (readonly Folder[])[]> {
  const levels: (readonly Folder[])[] = [];
  for (let level: readonly Folder[] = [folder]; level.length > 0; ) {
    levels.push(level);
    const values = level.map(({ uid }) => uid);
    const below = await readAll(reader, folders, { filter: { op: 'in', field: 'parent', values } });
    level = below.map(({ value }) => value);
  }
  return levels;
}

/** The ancestors of a folder, from its parent to the root. */
export async function ancestorsOf(reader: Reader, folder: Folder): Promise<readonly Folder[]> {
  const above: Folder[] = [];
  for (let { parent } = folder; parent !== undefined; ) {
    const found: Folder | undefined = (await reader.get(folders, itemKey(folder.mailbox, parent)))?.value;
    if (!found) break;
    above.push(found);
    parent = found.parent;
  }
  return above;
}

/** Names are compared case-insensitively. */
export async function childNamed(reader: Reader, parent: string, name: string): Promise<Folder | undefined> {
  const filter = allOf(eq('parent', parent), eq('displayName', name.toLowerCase()));
  return (await reader.query(folders, { filter, limit: 1 })).items[0]?.value;
}

const LONGEST_NAME = 255;

/** The name, or the name with the first free number: `Reports (2)`. */
export async function freeName(reader: Reader, parent: string, name: string): Promise<string> {
  const siblings = await readAll(reader, folders, { filter: eq('parent', parent) });
  const taken = new Set(siblings.map(({ value }) => value.displayName.toLowerCase()));
  let free = name;
  for (let number = 1; taken.has(free.toLowerCase()); number++) {
    const suffix = ` (${number})`;
    free = name.slice(0, LONGEST_NAME - suffix.length) + suffix;
  }
  return free;
}
