import { ApiError } from '../../../../kernel/http/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { workspaces } from '../../accounts/collections.ts';
import { readBlob } from '../../blobs/store.ts';
import { dbfsNames, findNode } from '../../dbfs/files.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Notebook } from '../../notebooks/model.ts';
import type { Guarded } from '../../permissions/guard.ts';
import { mayUse } from '../../workspace/guarded.ts';
import { readFile, readNotebook } from '../../workspace/read.ts';
import { gitSources } from '../collections.ts';
import type { Run } from '../run.ts';
import type { GitSource, NotebookSource } from '../task-run.ts';
import { gitSourceKey } from './check-out-plan.ts';

export type Source = GitSource;

/** The reader of a source and its transaction: a run of a job, or an update of a pipeline. */
export interface SourceReader {
  readonly tx: Tx;
  readonly jar: PlatformJar;
  readonly run: Acting;
}

type Acting = Pick<Run, 'workspaceId' | 'accountId' | 'runAs'>;

/** A larger file is not a program. */
export const LARGEST_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Reads the source of a task from the workspace or the file system, if the principal that the run acts as may run it. Returns a text with
 * the reason if it cannot be read.
 */
export async function readSource({ tx, jar, run }: SourceReader, path: string): Promise<Source | string> {
  try {
    return await (path.startsWith('dbfs:/') ? readFromDbfs(tx, run, path) : readFromWorkspace(tx, jar, run, path));
  } catch (error) {
    // An invalid path. Settings may hold any text, and tasks start in due work, which has no caller to refuse.
    if (!(error instanceof ApiError)) throw error;
    return `Unable to access the notebook or file "${path}". ${error.message}`;
  }
}

export const sourceOf = ({ language, cells }: Notebook): NotebookSource => ({
  is: 'notebook',
  language,
  cells: cells.map(({ language: of, source }) => ({ language: of, text: source })),
});

async function readFromWorkspace(tx: Tx, jar: PlatformJar, run: Acting, path: string): Promise<Source | string> {
  const notebook = await readNotebook(tx, run.workspaceId, path);
  if (notebook) {
    if (!(await mayRun(tx, jar, run, notebook.guarded, 'CAN_RUN'))) return denied(path);
    return sourceOf(notebook.notebook);
  }
  const file = await readFile(tx, run.workspaceId, path);
  if (!file) return `Unable to access the notebook or file "${path}". It does not exist.`;
  if (!(await mayRun(tx, jar, run, file.guarded, 'CAN_READ'))) return denied(path);
  if (file.blob.size > LARGEST_FILE_BYTES) return tooLarge(path);
  return { is: 'file', text: (await readBlob(tx, file.blob)).toString('utf8') };
}

/** Every user of the workspace may read its whole file system. */
async function readFromDbfs(tx: Tx, { workspaceId }: Acting, path: string): Promise<Source | string> {
  const node = await findNode(tx, `${workspaceId}/dbfs`, dbfsNames(path));
  if (node?.type !== 'FILE') return `"${path}" is no file.`;
  const { blob = '', size = 0 } = node;
  if (size > LARGEST_FILE_BYTES) return tooLarge(path);
  return { is: 'file', text: (await readBlob(tx, { blob, size })).toString('utf8') };
}

async function mayRun(tx: Tx, jar: PlatformJar, run: Acting, object: Guarded, level: string): Promise<boolean> {
  const standing = await jar.callerIdentities.within(tx, run.accountId, run.runAs);
  const workspace = (await tx.get(workspaces, run.workspaceId, 'none'))?.value;
  return standing !== undefined && workspace !== undefined && mayUse({ standing, workspace }, object, level);
}

const denied = (path: string): string =>
  `Unable to access the notebook or file "${path}". The identity of the run may not run it.`;
const tooLarge = (path: string): string =>
  `"${path}" has more than ${LARGEST_FILE_BYTES} bytes, the limit of a program.`;

/** A source from the checkout of the run's repository. */
export async function readFromGit(tx: Tx, { workspaceId, id, git }: Run, path: string): Promise<Source | string> {
  if (!git || 'problem' in git) return git?.problem ?? 'The repository of the run has not been read.';
  const found = (await tx.get(gitSources, gitSourceKey(workspaceId, id, path), 'none'))?.value;
  return found ?? `"${path}" is not a notebook or file of the commit ${git.commit}.`;
}
