import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TarEntry } from './tar.ts';

/** Lists everything in a folder as entries of a tar archive. */
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
