import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TarEntry } from './tar.ts';

/** Everything in a folder, to be packed. */
export async function folderEntries(folder: string, under = ''): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const file = join(folder, name);
    const path = under === '' ? name : `${under}/${name}`;
    const info = await lstat(file);
    const mode = info.mode & 0o777;
    if (info.isDirectory()) entries.push({ kind: 'folder', path, mode }, ...(await folderEntries(file, path)));
    else if (info.isSymbolicLink()) entries.push({ kind: 'link', path, mode: 0o777, target: await readlink(file) });
    else if (info.isFile()) entries.push({ kind: 'copy', path, mode, source: file, size: info.size });
  }
  return entries;
}
