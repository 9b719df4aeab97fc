import { opendir } from 'node:fs/promises';
import { compareText } from '../../../../kernel/values/index.ts';
import type { Directory } from './directory.ts';

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  /** Sort key. For a folder it includes the trailing slash, so that entries sort like whole paths. */
  readonly key: string;
}

/** Maximum number of names of one directory in memory. A larger directory is read again for the next names. */
const MOST_ENTRIES = 32_768;
/** Directory entries per system call. */
const READ_AT_ONCE = 1024;

/** The smallest key after this one: names contain no NUL. */
export const justBehind = (key: string): string => `${key}\0`;

/** The entries of a directory in order, from the key `from` on. */
export async function* entriesOf(
  directory: Directory,
  from: string,
  most: number = MOST_ENTRIES,
): AsyncGenerator<Entry> {
  for (let first = from; ; ) {
    const { entries, isAll } = await firstOf(directory, first, most);
    yield* entries;
    if (isAll) return;
    first = justBehind((entries.at(-1) as Entry).key);
  }
}

/** The first `most` entries. Sorts and truncates whenever there are twice as many, which bounds the memory for any directory size. */
async function firstOf(
  directory: Directory,
  from: string,
  most: number,
): Promise<{ readonly entries: Entry[]; readonly isAll: boolean }> {
  const entries: Entry[] = [];
  let isAll = true;
  const cut = (): void => {
    entries.sort((a, b) => compareText(a.key, b.key));
    if (entries.length <= most) return;
    entries.length = most;
    isAll = false;
  };
  for await (const found of await opendir(directory.at('.'), { bufferSize: READ_AT_ONCE })) {
    const { name } = found;
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
    const key = kind === 'folder' ? `${name}/` : name;
    if (key < from) continue;
    entries.push({ name, kind, key });
    if (entries.length >= 2 * most) cut();
  }
  cut();
  return { entries, isAll };
}
