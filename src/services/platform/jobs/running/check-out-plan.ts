import { createHash } from 'node:crypto';
import { membersOf } from '../../engine/json.ts';
import { runKey } from '../collections.ts';
import type { TaskSettings } from '../job.ts';
import type { RunChange } from './run-change.ts';
import { checkOutRun } from './work.ts';

/** Tasks whose programs are in a repository: `git_source` of the job. */

/** Settings of a notebook, a Python file or a SQL file. */
const programOf = ({ notebook_task: notebook, spark_python_task: python, sql_task: sql }: TaskSettings) =>
  membersOf(notebook ?? python ?? membersOf(sql).file);

export const isFromGit = (task: TaskSettings): boolean => programOf(task).source === 'GIT';

/** The paths of these programs as in the settings, including those of iterations. */
export const gitPathsOf = (tasks: readonly TaskSettings[]): readonly string[] =>
  tasks
    .map((task) => (task.for_each_task === undefined ? task : (membersOf(task.for_each_task).task as TaskSettings)))
    .filter(isFromGit)
    .map((task) => {
      const { notebook_path: notebook, python_file: python, path } = programOf(task);
      return String(notebook ?? python ?? path);
    });

/** Called when a run or a repair starts: schedules the checkout of the repository. Tasks that need the repository wait for it. */
export async function planCheckout(change: RunChange): Promise<void> {
  const { plan, tx, run, now } = change;
  if (plan.git_source === undefined || gitPathsOf(change.tasks).length === 0) return;
  const { git: _git, ...rest } = run;
  change.run = rest;
  change.changeRun({});
  await tx.schedule(checkOutRun(runKey(run.workspaceId, run.id), now));
}

/** Paths are relative to the root of the repository; a leading slash is accepted. */
export const gitPath = (path: string): string => path.replace(/^(\.?\/)+/, '');

/** Hashed, because paths may be longer than keys of the store. */
export const gitSourceKey = (workspaceId: string, runId: string, path: string): string =>
  `${runKey(workspaceId, runId)}/${createHash('sha256').update(gitPath(path)).digest('hex')}`;
