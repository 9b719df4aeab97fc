import type { Tx } from '../../../../kernel/store/index.ts';
import type { Run } from '../collections.ts';

/** A cell of a notebook, or a whole file as one. */
export interface SourceCell {
  /** `python`, `sh`, `sql` … */
  readonly language: string;
  readonly text: string;
}

export type Source =
  | { readonly is: 'notebook'; readonly language: string; readonly cells: readonly SourceCell[] }
  | { readonly is: 'file'; readonly text: string };

/** What a task runs, out of the workspace or the file system. Undefined where there is nothing at the path. */
export async function readSource(_tx: Tx, _run: Run, _path: string): Promise<Source | undefined> {
  return undefined;
}
