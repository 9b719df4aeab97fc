import { ApiError } from '../../../../kernel/http/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { checkName } from '../../catalog/core/names.ts';
import { readColumns } from '../../catalog/tables/columns.ts';
import { cellOf } from '../../catalog/tables/data/cells.ts';
import { discardFiles, stageRows } from '../../catalog/tables/data/rows.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey, taskOutputs } from '../../jobs/collections.ts';
import type { Ending } from '../../jobs/run.ts';
import { endTask } from '../../jobs/running/end-task.ts';
import { RunChange } from '../../jobs/running/run-change.ts';
import type { ReportedTable } from '../../jobs/task-run.ts';
import { boundOf } from '../../limits/declared.ts';
import { checkBound } from '../../limits/take.ts';
import { centralRooms, type RoomRun, roomRuns } from '../collections.ts';
import { FINISH_NOTEBOOK } from '../work.ts';
import { tablesIn } from './declared-tables.ts';
import { outputCatalogOfRun, sourceOf } from './program.ts';
import { putOutput, type StagedTable } from './write-output.ts';

/**
 * Due work: completes a notebook whose program has ended. Its tables are staged outside of the transaction that writes them and ends the
 * task.
 */
export const finishNotebook = workHandler(FINISH_NOTEBOOK, async (item, jar: PlatformJar) => {
  const { key } = item.payload;
  const run = (await jar.store.get(roomRuns, key))?.value;
  const staged = run?.state === 'RUNNING' ? await stageTables(jar, run) : [];
  try {
    await jar.store.transact(async (tx) => {
      await tx.complete(item);
      const change = run && (await RunChange.load(tx, jar, run.workspaceId, run.runId));
      const task = run && (await change?.task(run.taskId));
      const now = (await tx.get(roomRuns, key))?.value;
      // The task was cancelled or has timed out.
      if (!change || task?.state !== 'RUNNING' || now?.state !== 'RUNNING') return;
      const problem = typeof staged === 'string' ? staged : await conclude(tx, jar, key, now, staged);
      if (problem !== undefined) await noteProblem(tx, now, problem);
      const ending: Ending =
        problem === undefined ? { outcome: 'SUCCESS', message: '' } : { outcome: 'FAILED', message: problem };
      await endTask(change, task, ending);
      await change.save();
    });
  } finally {
    // Files that a table has claimed stay.
    if (typeof staged !== 'string')
      await discardFiles(
        jar,
        staged.flatMap(({ files }) => files),
      );
  }
});

/** Writes the output of a successful run. Returns a message if that is not possible. */
async function conclude(
  tx: Tx,
  jar: PlatformJar,
  key: string,
  run: RoomRun,
  tables: readonly StagedTable[],
): Promise<string | undefined> {
  const central = (await tx.get(centralRooms, run.room, 'none'))?.value;
  if (central?.status !== 'ACTIVE') return 'The clean room was deleted while the notebook ran.';
  if (tables.length === 0) return undefined;
  const catalog = await outputCatalogOfRun(tx, run);
  if (!catalog)
    return `The notebook creates ${tables.length} output tables, but the clean room has no output catalog in this metastore.`;
  await tx.put(roomRuns, key, { ...run, output: await putOutput(tx, jar, run, catalog, tables) });
  return undefined;
}

async function noteProblem(tx: Tx, { workspaceId, taskId }: RoomRun, error: string): Promise<void> {
  const key = runKey(workspaceId, taskId);
  const output = (await tx.get(taskOutputs, key, 'none'))?.value ?? { log: '', isTruncated: false };
  await tx.put(taskOutputs, key, { ...output, error });
}

/** Stages the tables that the program reported, and those declared in its text. Returns a message if one of them is invalid. */
async function stageTables(jar: PlatformJar, run: RoomRun): Promise<readonly StagedTable[] | string> {
  const staged: StagedTable[] = [];
  try {
    const drafts = await draftsOf(jar, run);
    for (const { name, columns, rows } of drafts) {
      const cells = rows.map((row) => columns.map((column, index) => cellOf(column, row[index] ?? null)));
      staged.push({ name, columns, files: await stageRows(jar, columns, cells) });
    }
    return staged;
  } catch (error) {
    await discardFiles(
      jar,
      staged.flatMap(({ files }) => files),
    );
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

interface TableDraft extends Omit<StagedTable, 'files'> {
  readonly rows: readonly (readonly unknown[])[];
}

async function draftsOf(jar: PlatformJar, run: RoomRun): Promise<readonly TableDraft[]> {
  const { store, limits } = jar;
  const output = (await store.get(taskOutputs, runKey(run.workspaceId, run.taskId)))?.value;
  const drafts = new Map<string, TableDraft>();
  for (const reported of output?.tables ?? []) {
    const draft = reportedDraft(reported);
    drafts.set(draft.name, draft);
  }
  const source = await sourceOf(store, run);
  // The limit of tables; one more is enough to exceed it.
  const { maximum } = limits.checkBound(boundOf('clean-room-output-tables'), [run.taskId], 0);
  const text = typeof source === 'string' ? '' : source.cells.map((cell) => cell.text).join('\n\n');
  for (const table of tablesIn(text, maximum))
    if (!drafts.has(table.name)) drafts.set(table.name, { ...table, rows: [] });
  checkBound(jar, 'clean-room-output-tables', [run.taskId], drafts.size);
  return [...drafts.values()];
}

function reportedDraft({ name, columns, rows = [] }: ReportedTable): TableDraft {
  return { name: checkName('table', name), columns: readColumns(columns), rows };
}
