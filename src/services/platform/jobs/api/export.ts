import { html } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import type { PlatformCall } from '../../jar.ts';
import { writeHtml } from '../../notebooks/formats/html.ts';
import type { Notebook } from '../../notebooks/model.ts';
import { runKey, taskNotebooks } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import { invalid } from '../settings/rules.ts';
import type { TaskRun } from '../task-run.ts';
import { findRunOrTask } from './access.ts';
import { jobErrors } from './errors.ts';
import { outputOf } from './output.ts';
import { idIn } from './request.ts';
import { planOf, tasksOf } from './run-view.ts';
import { settingsOf } from './task-view.ts';

const MOST_CHARACTERS = 20_000_000;

const VIEWS: readonly string[] = ['CODE', 'DASHBOARDS', 'ALL'];

/** `runs/export`: each notebook as an HTML page, in its state when its task started. Notebooks have no dashboards here. */
export async function exportRun(call: PlatformCall): Promise<JsonMembers> {
  const asked = call.query.views_to_export ?? 'CODE';
  if (!VIEWS.includes(String(asked)))
    throw invalid(`The parameter 'views_to_export' must be one of: ${VIEWS.join(',')}.`);
  const { run, task } = await findRunOrTask(call, idIn(call.query, 'run_id'));
  const plan = await planOf(call, run);
  const tasks = (task ? [task] : await tasksOf(call, run, plan)).filter(({ kind }) => kind === 'notebook_task');
  if (tasks.length === 0) throw jobErrors.INVALID_PARAMETER_VALUE__NoNotebook({ run: task?.id ?? run.id });
  if (asked === 'DASHBOARDS') return { views: [] };
  const views: View[] = [];
  let length = 0;
  for (const each of tasks) {
    const view = await viewOf(call, plan, each);
    length += view.content.length;
    // A single view is exported whatever its length.
    if (length > MOST_CHARACTERS && views.length > 0)
      throw jobErrors.INVALID_PARAMETER_VALUE__LongExport({ run: run.id, most: MOST_CHARACTERS });
    views.push(view);
  }
  return { views };
}

interface View extends JsonMembers {
  readonly content: string;
}

async function viewOf(call: PlatformCall, plan: JobSettings, task: TaskRun): Promise<View> {
  const settings = membersOf(settingsOf(plan, task).notebook_task);
  const path = textOf(membersOf(task.resolved).notebook_path) ?? textOf(settings.notebook_path) ?? '';
  const name = path.split('/').at(-1) ?? path;
  const output = await outputOf(call, task);
  const result = html`<section><h2>Run ${task.id}, task ${task.key}, attempt ${String(task.attempt)}</h2>
<h3>Parameters</h3><pre>${JSON.stringify(membersOf(task.resolved ?? settings).base_parameters ?? {}, undefined, 2)}</pre>
<h3>Output</h3><pre>${output?.log ?? ''}</pre>
<h3>Result</h3><pre>${output?.result ?? ''}</pre>
<pre>${output?.error ?? ''}</pre></section>
`;
  const page = writeHtml(await notebookOf(call, task), name);
  const end = page.lastIndexOf('<script>');
  return { content: page.slice(0, end) + result.text + page.slice(end), name, type: 'NOTEBOOK' };
}

/** Returns a notebook without cells if the task has not started or had no notebook. */
async function notebookOf({ jar }: PlatformCall, { workspaceId, id }: TaskRun): Promise<Notebook> {
  const kept = (await jar.store.get(taskNotebooks, runKey(workspaceId, id)))?.value;
  const cells = (kept?.cells ?? []).map(({ language, text }) => ({ language, source: text }));
  return { language: kept?.language ?? 'PYTHON', cells };
}
