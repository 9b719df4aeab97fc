import { sha256 } from '../../../../kernel/auth/index.ts';
import type { Json } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { TaskSettings } from '../job.ts';
import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { finishTask } from './finish-task.ts';
import { allInputs, type InputEntry, putInputs, readInputs } from './inputs.ts';
import { lookupFor } from './lookup.ts';
import { newTask } from './new-task.ts';
import { resolveText } from './references.ts';
import { finishOrRetry } from './retry.ts';
import type { RunChange } from './run-change.ts';
import { startTasks } from './start-tasks.ts';

const MOST_ITERATIONS = 10_000;
const MOST_AT_ONCE = 100;

interface ForEach {
  readonly inputs: string;
  readonly concurrency?: number;
  readonly task: TaskSettings;
}

/** Runs the inner task of a for-each task once for each input, limited by `concurrency`. Returns the task if it ends immediately. */
export async function startIterations(change: RunChange, task: TaskRun): Promise<TaskRun | undefined> {
  const { inputs } = change.settingsFor(task).for_each_task as ForEach & JsonMembers;
  const text = resolveText(inputs, await lookupFor(change, task));
  const elements = elementsOf(text);
  if (typeof elements === 'string') return finishOrRetry(change, task, { outcome: 'FAILED', message: elements });
  const total = elements.length;
  const digest = sha256(JSON.stringify(elements));
  const rest = await unsuccessful(change, task, digest);
  const entries = rest?.entries ?? elements.map((input, index) => ({ index, input }));
  const perDocument = await putInputs(change.tx, task, entries, text.length);
  const carried = total - entries.length;
  const open = entries.length;
  const begun = change.put({
    ...task,
    execution: {
      by: 'iterations',
      total,
      carried,
      ...(rest && { whole: rest.whole }),
      perDocument,
      digest,
      open,
      next: 0,
      failed: 0,
    },
  });
  if (total === 0) return finishTask(change, begun, { outcome: 'SUCCESS', message: '' });
  return startMore(change, begun);
}

/** The inputs that did not succeed in the previous attempt, if its inputs were the same. Returns undefined if all inputs have to run. */
async function unsuccessful(
  change: RunChange,
  { after, workspaceId }: TaskRun,
  digest: string,
): Promise<{ readonly entries: readonly InputEntry[]; readonly whole: string } | undefined> {
  const before = after === undefined ? undefined : await change.task(after);
  if (before?.execution?.by !== 'iterations' || before.execution.digest !== digest) return undefined;
  const ended = await change.iterationsOf(before.id);
  const good = new Set(
    ended.flatMap(({ ending, iteration }) => (ending?.outcome === 'SUCCESS' ? [iteration?.index] : [])),
  );
  const left = (await allInputs(change.tx, { workspaceId, id: before.id })).filter(({ index }) => !good.has(index));
  // None left: a repair of a successful task runs all inputs again.
  return left.length === 0 ? undefined : { entries: left, whole: before.execution.whole ?? before.id };
}

function elementsOf(text: string): readonly Json[] | string {
  let elements: unknown;
  try {
    elements = JSON.parse(text);
  } catch {
    return `The inputs of the for-each task are not JSON: ${text.slice(0, 200)}`;
  }
  if (!Array.isArray(elements)) return 'The inputs of the for-each task are not an array.';
  if (elements.length > MOST_ITERATIONS) return `The for-each task has more than ${MOST_ITERATIONS} inputs.`;
  return elements as readonly Json[];
}

/** An iteration has ended: the next one starts, or the task ends with the last. Returns the task once it has ended. */
export async function iterationEnded(change: RunChange, iteration: TaskRun): Promise<TaskRun | undefined> {
  const parent = await change.task(iteration.iteration?.of as string);
  if (parent?.execution?.by !== 'iterations' || parent.state === 'TERMINATED') return undefined;
  const { execution } = parent;
  const failed = execution.failed + (iteration.ending?.outcome === 'SUCCESS' ? 0 : 1);
  const open = execution.open - 1;
  const errors = failed > execution.failed ? withError(execution.errors, iteration.ending?.message ?? '') : undefined;
  const after = change.put({ ...parent, execution: { ...execution, open, failed, ...(errors && { errors }) } });
  if (open === 0) return finishOrRetry(change, after, endingOf(change, failed, execution.total));
  if (change.run.ends) return undefined;
  return startMore(change, after);
}

/** Number of distinct messages that are counted; the task shows the most frequent ones. */
const MOST_MESSAGES = 20;
const LONGEST_MESSAGE = 200;

function withError(errors: Readonly<Record<string, number>> = {}, message: string): Readonly<Record<string, number>> {
  const said = message === '' ? 'Failed' : message.slice(0, LONGEST_MESSAGE);
  if (!Object.hasOwn(errors, said) && Object.keys(errors).length >= MOST_MESSAGES) return errors;
  return { ...errors, [said]: (Object.hasOwn(errors, said) ? (errors[said] ?? 0) : 0) + 1 };
}

function endingOf({ run }: RunChange, failed: number, total: number): Ending {
  if (run.ends) return run.ends;
  if (failed === 0) return { outcome: 'SUCCESS', message: '' };
  return { outcome: 'FAILED', message: `${failed} of ${total} iterations failed` };
}

async function startMore(change: RunChange, parent: TaskRun): Promise<TaskRun | undefined> {
  const settings = change.settingsOf(parent);
  const { concurrency = 1, task: inner } = settings.for_each_task as ForEach & JsonMembers;
  let ended: TaskRun | undefined;
  for (;;) {
    const current = (await change.task(parent.id)) as TaskRun;
    if (current.execution?.by !== 'iterations' || current.state === 'TERMINATED') return ended;
    const { next, open, total, carried, perDocument } = current.execution;
    const left = total - carried - next;
    const running = open - left;
    const count = Math.min(left, Math.min(concurrency, MOST_AT_ONCE) - running);
    if (count <= 0) return ended;
    const entries = await readInputs(change.tx, parent, perDocument, next, next + count);
    const made = entries.map(({ index, input }) => {
      const iteration = { of: parent.id, index, input };
      return change.put({ ...newTask(change, inner, { attempt: 0, iteration }), key: parent.key });
    });
    change.put({ ...current, execution: { ...current.execution, next: next + count } });
    for (const over of await startTasks(change, made)) ended = (await iterationEnded(change, over)) ?? ended;
    if (ended) return ended;
  }
}
