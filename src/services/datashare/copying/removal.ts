import { type Filter, pagesOf, type Stored } from '../../../kernel/store/index.ts';
import { type CopiedFile, copied, copiedKey, folderPrefix, ledgerPrefix, longNamesPrefix } from './collections.ts';
import type { Run } from './run.ts';

/** Files removed from the target before the ledger is updated. */
const PAGE = 64;

/**
 * Removes target files of earlier runs that this full run has not recorded; it has read the whole source by now. Returns false if the run
 * was stopped.
 */
export async function removeStale(run: Run): Promise<boolean> {
  const { task, store, watch } = run;
  const filter: Filter = { op: 'ne', field: 'run', value: task.run };
  for await (const stale of pagesOf(store, copied, { prefix: ledgerPrefix(task.ledger), filter, page: PAGE })) {
    if (!(await watch.proceed())) return false;
    await removeAll(run, stale);
  }
  return true;
}

/**
 * Resolves a conflict between a file and a folder of the same path. Removes files of earlier runs at the path `name`, below it, or at one
 * of its parent folders, if the source no longer has them. Returns false if there are none.
 */
export async function removeConflicts(run: Run, name: string): Promise<boolean> {
  let isCleared = false;
  for await (const inTheWay of conflictsWith(run, name)) {
    const gone: Stored<CopiedFile>[] = [];
    for (const stored of inTheWay) if (await isGone(run, stored.value)) gone.push(stored);
    await removeAll(run, gone);
    isCleared ||= gone.length > 0;
  }
  return isCleared;
}

async function* conflictsWith({ task, store }: Run, name: string): AsyncGenerator<readonly Stored<CopiedFile>[]> {
  const { ledger } = task;
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const file = await store.get(copied, copiedKey(ledger, parts.slice(0, depth).join('/')));
    if (file) yield [file];
  }
  for await (const page of pagesOf(store, copied, { prefix: folderPrefix(ledger, name), page: PAGE })) yield page;
  for await (const page of pagesOf(store, copied, { prefix: longNamesPrefix(ledger), page: PAGE })) {
    yield page.filter(({ value }) => value.target.startsWith(`${name}/`));
  }
}

const isGone = async ({ task, source }: Run, file: CopiedFile): Promise<boolean> =>
  file.run !== task.run && (await source.stat(task.from.container, file.source)) === undefined;

async function removeAll({ task, target, progress }: Run, files: readonly Stored<CopiedFile>[]): Promise<void> {
  if (files.length === 0) return;
  const doomed = await progress.markForRemoval(files);
  await Promise.all(doomed.map(({ value }) => target.remove(task.to.container, value.target)));
  await progress.removed(doomed.map(({ key }) => key));
}
