import { lstat } from 'node:fs/promises';
import { fileNameMistake } from '../names.ts';
import { isProblem } from '../problem.ts';
import type { FilePage, StoredFile } from '../types.ts';
import type { Directory } from './directory.ts';
import { type Entry, entriesOf, justBehind } from './entries.ts';
import { isCode } from './errors.ts';
import { fileOf } from './version.ts';

const PAGE = 500;
/** Files whose metadata is read concurrently. */
const STATS = 32;

type Found = StoredFile | 'skipped';

/**
 * Pages of the files below a directory, in path order. `path` is the common prefix of their names: empty, or a folder with a trailing
 * slash. A cursor is the name of the last file of a page.
 */
export async function* filePages(
  directory: Directory,
  path: string,
  cursor: string | undefined,
): AsyncGenerator<FilePage> {
  let files: StoredFile[] = [];
  let skipped = 0;
  for await (const found of filesBelow(directory, path, cursor ?? '')) {
    if (found === 'skipped') skipped += 1;
    else files.push(found);
    if (files.length < PAGE) continue;
    yield { files, skipped, next: (files.at(-1) as StoredFile).name };
    files = [];
    skipped = 0;
  }
  yield { files, skipped };
}

async function* filesBelow(directory: Directory, path: string, cursor: string): AsyncGenerator<Found> {
  let waiting: Entry[] = [];
  for await (const entry of entriesOf(directory, firstKey(path, cursor))) {
    if (entry.kind !== 'folder') {
      waiting.push(entry);
      if (waiting.length < STATS) continue;
    }
    yield* await lookAt(directory, path, waiting);
    waiting = [];
    if (entry.kind === 'folder') yield* filesIn(directory, entry, path, cursor);
  }
  yield* await lookAt(directory, path, waiting);
}

/** The directory entry at which a listing resumes: the folder that contains the cursor's file, or the entry after that file. */
function firstKey(path: string, cursor: string): string {
  if (cursor === '' || !cursor.startsWith(path)) return '';
  const name = cursor.slice(path.length);
  const slash = name.indexOf('/');
  return slash === -1 ? justBehind(name) : name.slice(0, slash + 1);
}

async function* filesIn(parent: Directory, { name }: Entry, path: string, cursor: string): AsyncGenerator<Found> {
  const folder = `${path}${name}`;
  if (fileNameMistake(folder) !== undefined) return yield 'skipped';
  let directory: Directory | undefined;
  try {
    directory = await parent.child(name, folder);
  } catch (error) {
    // Replaced by a link or a file after the entry was read.
    if (isProblem(error, 'LinkRefused') || isCode(error, 'ENOTDIR')) return yield 'skipped';
    throw error;
  }
  if (!directory) return;
  try {
    yield* filesBelow(directory, `${folder}/`, cursor);
  } finally {
    await directory.close();
  }
}

async function lookAt(directory: Directory, path: string, entries: readonly Entry[]): Promise<Found[]> {
  const found = await Promise.all(entries.map((entry) => look(directory, path, entry)));
  return found.filter((each) => each !== undefined);
}

/** Returns undefined if the file has disappeared. */
async function look(directory: Directory, path: string, { name, kind }: Entry): Promise<Found | undefined> {
  const full = `${path}${name}`;
  if (kind !== 'file' || fileNameMistake(full) !== undefined) return 'skipped';
  try {
    const stats = await lstat(directory.at(name), { bigint: true });
    return stats.isFile() ? fileOf(full, stats) : 'skipped';
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    // A name that is not UTF-8 is decoded with this character, and no file exists under the decoded name.
    return name.includes('\uFFFD') ? 'skipped' : undefined;
  }
}
