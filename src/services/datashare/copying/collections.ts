import { createHash } from 'node:crypto';
import { type Collection, collection, text } from '../../../kernel/store/index.ts';
import type { CopyTally, CopyTask } from './task.ts';

/** A file at the target that a run with this ledger wrote or found unchanged. */
export interface CopiedFile {
  /** File name at the source. */
  readonly source: string;
  /** File name at the target, which identifies the entry: each target name is copied from one file. */
  readonly target: string;
  /** Version of the source file when it was read. */
  readonly version: string;
  readonly size: number;
  /** See `hash.ts`. */
  readonly hash: string;
  /** The last run that read the file. */
  readonly run: string;
  /**
   * Set if the target's content may differ from the hash: a run was about to write or remove the file and has not recorded the result. An
   * unchanged version still means that no copy is needed, because a run only overwrites files whose source has changed.
   */
  readonly isUncertain?: true;
}

/** An unfinished copy of a large file. */
export interface OpenDraft {
  readonly id: string;
  readonly source: string;
  readonly version: string;
  /** Number of bytes in the draft that survive a crash; a multiple of the piece size. */
  readonly offset: number;
  /** Hash of these bytes. */
  readonly hash: string;
}

/** Progress of a run. Written in the same transaction as the ledger, so that they always agree. */
export interface CopyProgress {
  readonly phase: 'copying' | 'removing' | 'done';
  /** Cursor of the source page being copied; undefined for the first page. */
  readonly cursor?: string;
  readonly tally: CopyTally;
  /** Drafts of the files being copied; only a few at a time. */
  readonly drafts: readonly OpenDraft[];
}

export const copied = collection<CopiedFile>('datashare.copied', { fields: { run: text(({ run }) => run) } });

export const copyProgress = collection<CopyProgress>('datashare.progress');

export const copyCollections: readonly Collection<never>[] = [copied, copyProgress];

/** PostgreSQL index entries are limited to 2,704 bytes; names have up to 1,024 characters of up to 4 bytes. */
const MOST_KEY_NAME_BYTES = 1500;

/** Key prefix of a ledger's files. A digest, because mapping ids are long and would be repeated in every key. */
export const ledgerPrefix = (ledger: string): string => `${digest(ledger, 24)}/`;

/** Key prefix of the files in a target folder, except files whose names are too long for a key. */
export const folderPrefix = (ledger: string, folder: string): string => `${ledgerPrefix(ledger)}n/${folder}/`;

/** Key prefix of the files whose names are too long for a key. */
export const longNamesPrefix = (ledger: string): string => `${ledgerPrefix(ledger)}h/`;

export const copiedKey = (ledger: string, target: string): string =>
  Buffer.byteLength(target) <= MOST_KEY_NAME_BYTES
    ? `${ledgerPrefix(ledger)}n/${target}`
    : `${longNamesPrefix(ledger)}${digest(target, 64)}`;

export const progressKey = ({ ledger, run }: Pick<CopyTask, 'ledger' | 'run'>): string =>
  `${ledgerPrefix(ledger)}${digest(run, 32)}`;

/** Id prefix of a ledger's drafts. */
export const draftPrefix = (ledger: string): string => `${digest(ledger, 24)}-`;

/** Deterministic per file version, so that a resumed run finds its draft. */
export const draftId = (ledger: string, source: string, version: string): string =>
  `${draftPrefix(ledger)}${digest(`${version}\n${source}`, 32)}`;

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').slice(0, length);
