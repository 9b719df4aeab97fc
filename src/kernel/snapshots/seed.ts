import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Tx } from '../store/types.ts';
import { type Snapshot, seedSnapshots } from './collections.ts';
import { type ImportOptions, importFile } from './import.ts';
import { leftOutLine } from './left-out-line.ts';
import { type Restored, type RestoreOptions, restore } from './restore.ts';

/** A snapshot file that an empty jar starts with, and that a reset restores. */
export interface SeedFile {
  readonly path: string;
  readonly passphrase: string | undefined;
  /** The start of the clock, if not the time of the snapshot. */
  readonly clockStart: number | undefined;
}

interface SeedOptions
  extends Omit<ImportOptions, 'passphrase' | 'seed'>,
    Omit<RestoreOptions, 'from' | 'time' | 'first'> {
  /** Called first within the transaction that replaces all state. */
  readonly first: (tx: Tx) => Promise<void>;
  readonly warn: (line: string) => void;
}

/** A name that users cannot give to a snapshot. */
const NAME = '.seed';

/**
 * Replaces all state by that of the file. The file is read once and kept in the store until it changes, so that secrets generated for a
 * file without secrets stay the same through resets and restarts.
 */
export async function restoreSeed(file: SeedFile, options: SeedOptions): Promise<Restored> {
  const kept = (await options.store.get(seedSnapshots, NAME))?.value;
  const source = await checksumOf(file.path);
  const snapshot = kept?.source === source ? kept : await takeIn(file, source, options);
  return restore(snapshot, { ...options, from: seedSnapshots, time: file.clockStart });
}

async function takeIn({ path, passphrase }: SeedFile, source: string, options: SeedOptions): Promise<Snapshot> {
  const seed = { into: seedSnapshots, source };
  const { snapshot, leftOut } = await importFile(NAME, createReadStream(path), { ...options, passphrase, seed });
  for (const each of leftOut) options.warn(`${path} has no secrets. ${leftOutLine(each)}`);
  return snapshot;
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}
