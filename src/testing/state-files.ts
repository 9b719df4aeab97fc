import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RunningJar } from '../jar/index.ts';
import { uuid } from '../kernel/ids/index.ts';
import { leftOutLine } from '../kernel/snapshots/left-out-line.ts';
import type { ExportOptions, ImportedState, ImportOptions } from './jar-types.d.ts';

/** Snapshot files of an in-process jar. */

const SUFFIX = /(\.cloudjar)?(\.gz)?$/;
const NOT_IN_NAMES = /[^A-Za-z0-9._-]/g;
const LONGEST_NAME = 64;

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Without the check, another file would be loaded as a seed file, or the error would call it one. */
export async function checkSnapshotFile(path = ''): Promise<void> {
  const head = Buffer.alloc(GZIP.length);
  try {
    await using file = await open(path);
    await file.read(head, 0, head.length, 0);
  } catch (cause) {
    throw new Error(`snapshot file ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (head.equals(GZIP)) return;
  throw new Error(
    `${path} is not a snapshot file as written by jar.export or cloudjar snapshot export; for a seed file, use the option seed`,
  );
}

/** Exports the current state to a file that appears only when it is complete. */
export async function exportState({ snapshots }: RunningJar, path: string, form: ExportOptions): Promise<void> {
  const name = `export-${uuid()}`;
  await snapshots.save(name);
  try {
    const { file: content } = await snapshots.content(name, form);
    await pipeline(content, createWriteStream(`${path}.part`));
    await rename(`${path}.part`, path);
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    throw error;
  } finally {
    await snapshots.delete(name);
  }
}

/** Imports a file as a snapshot, and restores it by default. */
export async function importState(
  { snapshots }: RunningJar,
  path: string,
  { passphrase, restore = true, name }: ImportOptions,
): Promise<ImportedState> {
  const called = name ?? nameOf(path);
  const { leftOut } = await snapshots.accept(called, createReadStream(path), { passphrase });
  if (restore) await snapshots.restore(called);
  return { name: called, leftOut: leftOut.map(leftOutLine) };
}

/** A snapshot name from the file name: invalid characters are replaced. */
function nameOf(path: string): string {
  const plain = basename(path).replace(SUFFIX, '').replace(NOT_IN_NAMES, '-').slice(0, LONGEST_NAME);
  return /^[A-Za-z0-9]/.test(plain) ? plain : `file${plain}`.slice(0, LONGEST_NAME);
}
