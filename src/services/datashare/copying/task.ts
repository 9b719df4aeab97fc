import { storageProblem } from '../storage/index.ts';

/** The work of one synchronization for one mapping. */
export interface CopyTask {
  /** Identifies the copied files of a mapping during its lifetime. Two runs with the same ledger never overlap. */
  readonly ledger: string;
  /** Id of the synchronization. A run with the same id resumes where it was stopped or killed. */
  readonly run: string;
  readonly mode: 'FullSync' | 'Incremental';
  readonly from: {
    readonly account: string;
    readonly container: string;
    /** The folder `''` selects the whole container. */
    readonly select: { readonly file: string } | { readonly folder: string };
  };
  readonly to: {
    readonly account: string;
    readonly container: string;
    /** `''` is the root of the container. */
    readonly folder: string;
    /** The file name below `folder`, if a single file gets another name than at the source. */
    readonly file?: string;
  };
}

/** The source folder of a task and the target name of each file. */
export interface Selection {
  /** Without leading or trailing slashes; undefined for a single file. */
  readonly folder: string | undefined;
  readonly file: string | undefined;
  targetOf(name: string): string;
}

export function selectionOf({ from, to }: CopyTask): Selection {
  const target = trimmed(to.folder);
  const below = (name: string): string => (target === '' ? name : `${target}/${name}`);
  if ('file' in from.select) {
    const { file } = from.select;
    const name = below(to.file ?? (file.split('/').at(-1) as string));
    if (isSameContainer(from, to) && name === file) throw storageProblem('TargetInSource', { folder: target });
    return { folder: undefined, file, targetOf: () => name };
  }
  const folder = trimmed(from.select.folder);
  const path = folder === '' ? '' : `${folder}/`;
  // Each copy would become another file to copy.
  if (isSameContainer(from, to) && `${target}/`.startsWith(path)) {
    throw storageProblem('TargetInSource', { folder: target });
  }
  return { folder, file: undefined, targetOf: (name) => below(name.slice(path.length)) };
}

const trimmed = (folder: string): string => folder.replace(/^\/+|\/+$/g, '');

const isSameContainer = (from: CopyTask['from'], to: CopyTask['to']): boolean =>
  from.account === to.account && from.container === to.container;

export interface CopyTally {
  readonly filesRead: number;
  readonly filesWritten: number;
  readonly sizeRead: number;
  readonly sizeWritten: number;
  /** Files that an incremental run did not need to read. */
  readonly filesUnchanged: number;
  /** Files of earlier runs that a full run removed from the target. */
  readonly filesRemoved: number;
  /** Source entries that are not files: symbolic links, pipes, unusable names. */
  readonly entriesSkipped: number;
}

export const NO_TALLY: CopyTally = {
  filesRead: 0,
  filesWritten: 0,
  sizeRead: 0,
  sizeWritten: 0,
  filesUnchanged: 0,
  filesRemoved: 0,
  entriesSkipped: 0,
};

const COUNTS = Object.keys(NO_TALLY) as readonly (keyof CopyTally)[];

export function sumOf(tally: CopyTally, more: Partial<CopyTally>): CopyTally {
  const sum = { ...tally };
  for (const count of COUNTS) Object.assign(sum, { [count]: tally[count] + (more[count] ?? 0) });
  return sum;
}
