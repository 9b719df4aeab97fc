import type { Reader } from '../../../../kernel/store/index.ts';
import { byId } from '../../catalog/core/chain.ts';
import type { Securable } from '../../catalog/core/securables.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import type { NotebookSource, TaskRun } from '../../jobs/task-run.ts';
import {
  assetKey,
  type Collaborator,
  centralRooms,
  type RoomRun,
  revisionContents,
  revisionKey,
  roomRunKey,
  roomRuns,
} from '../collections.ts';
import { outputCatalogOf } from '../view.ts';
import { notebookOf } from './notebook.ts';

/**
 * The program of a task in its clean room, with parameters that tell the notebook its output schema. Returns a message if nothing can run.
 */
export async function roomProgram(
  { tx }: RunChange,
  task: TaskRun,
): Promise<{ readonly source: NotebookSource; readonly named: Readonly<Record<string, string>> } | string> {
  const key = roomRunKey(task.cleanRoom ?? '', task.workspaceId, task.id);
  const run = (await tx.get(roomRuns, key, 'none'))?.value;
  const source = run ? await sourceOf(tx, run) : 'The task does not belong to a clean room.';
  if (typeof source === 'string') return source;
  const catalog = run && (await outputCatalogOfRun(tx, run));
  return { source, named: { cr_output_catalog: catalog?.name ?? '', cr_output_schema: outputSchemaOf(task.id) } };
}

/** The revision of the notebook with which the run started. */
export async function sourceOf(
  reader: Reader,
  { room, notebook, revision }: RoomRun,
): Promise<NotebookSource | string> {
  const asset = assetKey({ room, type: 'NOTEBOOK_FILE', name: notebook });
  const stored = await reader.get(revisionContents, revisionKey(asset, revision), 'none');
  return stored ? notebookOf(stored.value.content) : `The notebook '${notebook}' is not in the clean room any more.`;
}

/** Each run has its own schema. */
export const outputSchemaOf = (taskId: string): string => `run_${taskId}`;

/** The output catalog of the collaborator who runs the notebook. */
export async function outputCatalogOfRun(reader: Reader, run: RoomRun): Promise<Securable | undefined> {
  const central = (await reader.get(centralRooms, run.room, 'none'))?.value;
  const own = central?.collaborators.find(({ alias }: Collaborator) => alias === run.alias);
  const local = own && (await byId(reader, own.local));
  return local && outputCatalogOf(reader, local);
}
