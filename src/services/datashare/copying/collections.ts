import { createHash } from 'node:crypto';
import { type Collection, collection, text } from '../../../kernel/store/index.ts';
import type { CopyTally, CopyTask } from './task.ts';

/** A file at the target that a run of a ledger has written or found equal. */
export interface CopiedFile {
  /** Its name at the source. */
  readonly source: string;
  /** Its name at the target, by which it is found: what the target has under one name was copied from one file. */
  readonly target: string;
  /** Of the source when it was read. */
  readonly version: string;
  readonly size: number;
  /** See `hash.ts`. */
  readonly hash: string;
  /** The last run that has read it. */
  readonly run: string;
  /**
   * The target may have other content than the hash says: a run was about to write or remove it, and has not recorded that it did. An
   * unchanged version still means that there is nothing to do, as a run writes only what it has found changed.
   */
  readonly isUncertain?: true;
}

/** A large file that is on its way. */
export interface OpenDraft {
  readonly id: string;
  readonly source: string;
  readonly version: string;
  /** So many bytes are in the draft and survive a crash; a multiple of the size of a piece. */
  readonly offset: number;
  /** Of these bytes. */
  readonly hash: string;
}

/** How far a run has come. Written together with the ledger, so that both always agree. */
export interface CopyProgress {
  readonly phase: 'copying' | 'removing' | 'done';
  /** Of the page of the source that is being copied; absent for the first one. */
  readonly cursor?: string;
  readonly tally: CopyTally;
  /** Those of files that are under way: a handful at most. */
  readonly drafts: readonly OpenDraft[];
}

export const copied = collection<CopiedFile>('datashare.copied', { fields: { run: text(({ run }) => run) } });

export const copyProgress = collection<CopyProgress>('datashare.progress');

export const copyCollections: readonly Collection<never>[] = [copied, copyProgress];

/** Indexes of PostgreSQL take no more than 2,704 bytes, and names are of 1,024 characters with up to 4 bytes each. */
const MOST_KEY_NAME_BYTES = 1500;

/** Keys of all files of a ledger begin with this. The ids of mappings are long, and would be repeated in every key. */
export const ledgerPrefix = (ledger: string): string => `${digest(ledger, 24)}/`;

/** Keys of the files in a folder of the target begin with this, as far as their names are in their keys. */
export const folderPrefix = (ledger: string, folder: string): string => `${ledgerPrefix(ledger)}n/${folder}/`;

/** Keys of all files whose names are too long to be in their keys begin with this. */
export const longNamesPrefix = (ledger: string): string => `${ledgerPrefix(ledger)}h/`;

export const copiedKey = (ledger: string, target: string): string =>
  Buffer.byteLength(target) <= MOST_KEY_NAME_BYTES
    ? `${ledgerPrefix(ledger)}n/${target}`
    : `${longNamesPrefix(ledger)}${digest(target, 64)}`;

export const progressKey = ({ ledger, run }: Pick<CopyTask, 'ledger' | 'run'>): string =>
  `${ledgerPrefix(ledger)}${digest(run, 32)}`;

/** Drafts of a ledger begin with this. */
export const draftPrefix = (ledger: string): string => `${digest(ledger, 24)}-`;

/** The same for the same version of a file, so that a resumed run finds the draft that it has left. */
export const draftId = (ledger: string, source: string, version: string): string =>
  `${draftPrefix(ledger)}${digest(`${version}\n${source}`, 32)}`;

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').slice(0, length);
