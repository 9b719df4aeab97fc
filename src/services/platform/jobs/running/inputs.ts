import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { pagesOf } from '../../../../kernel/store/index.ts';
import { runKey, taskInputs } from '../collections.ts';
import type { TaskInputs, TaskRun } from '../task-run.ts';

/**
 * The inputs of a for-each task that still need iterations. They are stored apart from the task, several per document: the end of each
 * iteration reads the next inputs and writes the task, so a single document with all inputs would make the cost quadratic.
 */

export type InputEntry = TaskInputs['entries'][number];

const MOST_IN_DOCUMENT = 100;
const DOCUMENT_CHARACTERS = 64 * 1024;

type Owner = Pick<TaskRun, 'workspaceId' | 'id'>;

const prefixOf = ({ workspaceId, id }: Owner): string => `${runKey(workspaceId, id)}/`;

/** Returns the number of inputs per document, which locates the document of an index. */
export async function putInputs(tx: Tx, task: Owner, entries: readonly InputEntry[], length: number): Promise<number> {
  const average = Math.max(1, length / Math.max(1, entries.length));
  const perDocument = Math.min(MOST_IN_DOCUMENT, Math.max(1, Math.floor(DOCUMENT_CHARACTERS / average)));
  const documents: (readonly [string, TaskInputs])[] = [];
  for (let from = 0; from < entries.length; from += perDocument)
    documents.push([
      `${prefixOf(task)}${documents.length}`,
      { entries: entries.slice(from, from + perDocument) },
    ] as const);
  await tx.putAll(taskInputs, documents);
  return perDocument;
}

/** Inputs from index `from` (inclusive) to `to` (exclusive). */
export async function readInputs(
  tx: Tx,
  task: Owner,
  perDocument: number,
  from: number,
  to: number,
): Promise<readonly InputEntry[]> {
  const found: InputEntry[] = [];
  for (let number = Math.floor(from / perDocument); number * perDocument < to; number++) {
    const document = (await tx.get(taskInputs, `${prefixOf(task)}${number}`, 'none'))?.value;
    const start = number * perDocument;
    found.push(...(document?.entries ?? []).slice(Math.max(0, from - start), to - start));
  }
  return found;
}

/** All inputs, in order. */
export async function allInputs(reader: Reader, task: Owner): Promise<readonly InputEntry[]> {
  const found: InputEntry[] = [];
  for await (const page of pagesOf(reader, taskInputs, { prefix: prefixOf(task) }))
    for (const { value } of page) found.push(...value.entries);
  return found.sort((one, other) => one.index - other.index);
}

/** The inputs of a for-each task as JSON, with references resolved. */
export async function inputsText(reader: Reader, { workspaceId, id, execution }: TaskRun): Promise<string | undefined> {
  if (execution?.by !== 'iterations') return undefined;
  const entries = await allInputs(reader, { workspaceId, id: execution.whole ?? id });
  return JSON.stringify(entries.map(({ input }) => input));
}

/** Called when the task that they belong to is removed. */
export async function deleteInputs(tx: Tx, taskKey: string): Promise<void> {
  for await (const page of pagesOf(tx, taskInputs, { prefix: `${taskKey}/` }))
    for (const { key } of page) await tx.delete(taskInputs, key);
}
