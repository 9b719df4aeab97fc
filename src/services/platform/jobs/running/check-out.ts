import { ApiError } from '../../../../kernel/http/index.ts';
import { eq, pagesOf } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { accounts, workspaces } from '../../accounts/collections.ts';
import { textOf } from '../../engine/json.ts';
import { authorizationFor } from '../../git/credentials.ts';
import { providerOf } from '../../git/providers.ts';
import { type GitCall, type GitSnapshot, openRemote } from '../../git/remote.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Notebook } from '../../notebooks/model.ts';
import { readAuto } from '../../workspace/read-format.ts';
import { gitSources, runPlans, runs, taskRuns } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import type { GitSource } from '../task-run.ts';
import { gitPath, gitPathsOf, gitSourceKey } from './check-out-plan.ts';
import { resolveText } from './references.ts';
import { RunChange } from './run-change.ts';
import { LARGEST_FILE_BYTES, sourceOf } from './sources.ts';
import { CHECK_OUT_RUN, taskDue } from './work.ts';

interface Read {
  readonly git: NonNullable<Run['git']>;
  readonly files: ReadonlyMap<string, GitSource>;
}

/** Reads the sources of the tasks of a run, all from one commit. Waiting tasks then continue, or fail if the repository cannot be read. */
export const readRepository = workHandler(CHECK_OUT_RUN, async (item, jar: PlatformJar, halt) => {
  const { key } = item.payload;
  const run = (await jar.store.get(runs, key))?.value;
  const plan = (await jar.store.get(runPlans, key))?.value.settings;
  const read = run && plan && run.state !== 'TERMINATED' && (await readOrSay(jar, run, plan, halt));
  await jar.store.transact(async (tx) => {
    const change = read && (await RunChange.load(tx, jar, run.workspaceId, run.id));
    if (change) {
      change.changeRun({ git: read.git });
      for (const [path, source] of read.files)
        await tx.put(gitSources, gitSourceKey(run.workspaceId, run.id, path), source);
      await change.save();
      for await (const page of pagesOf(tx, taskRuns, { filter: eq('run', key) })) {
        for (const { key: task, value } of page)
          if (value.state === 'PENDING' && !value.execution) await tx.wake(taskDue(task, jar.clock.now()));
      }
    }
    await tx.complete(item);
  });
});

async function readOrSay(jar: PlatformJar, run: Run, plan: JobSettings, signal: AbortSignal): Promise<Read> {
  try {
    return await jar.checkouts.pass(() => read(jar, run, plan, signal));
  } catch (error) {
    // Any other error is retried.
    if (!(error instanceof ApiError)) throw error;
    return { git: { problem: error.message }, files: new Map() };
  }
}

async function read(jar: PlatformJar, run: Run, plan: JobSettings, signal: AbortSignal): Promise<Read> {
  const {
    git_url: url,
    git_provider: provider,
    git_branch: branch,
    git_tag: tag,
    git_commit: commit,
  } = plan.git_source as JsonMembers;
  const workspace = (await jar.store.get(workspaces, run.workspaceId))?.value;
  const account = (await jar.store.get(accounts, run.accountId))?.value;
  const standing = await jar.callerIdentities.of(run.accountId, run.runAs);
  if (!workspace || !account || !standing)
    return { git: { problem: 'The identity of the run does not exist any more.' }, files: new Map() };
  const call: GitCall = { jar, facts: { account, workspace, standing }, signal };
  const wanted = { branch: textOf(branch), tag: textOf(tag), commit: textOf(commit) };
  const snapshot = await openRemote(call, {
    url: String(url),
    repo: run.id,
    authorization: await authorizationFor(call, providerOf(String(provider), 'git_provider'), undefined),
    wanted: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  });
  const parameters = new Map(run.parameters.map(({ name, value }) => [`job.parameters.${name}`, value]));
  const files = new Map<string, GitSource>();
  for (const path of gitPathsOf(plan.tasks ?? []).map((each) => resolveText(each, (name) => parameters.get(name)))) {
    const source = files.has(path) ? undefined : await sourceAt(snapshot, gitPath(path));
    if (source) files.set(path, source);
  }
  return { git: { commit: snapshot.head }, files };
}

/** The notebook of this name, whose file in the repository has an extension, or the file. */
async function sourceAt(snapshot: GitSnapshot, path: string): Promise<GitSource | undefined> {
  const names = path.split('/').filter((name) => name !== '');
  const last = names.pop();
  let entries = await snapshot.tree(snapshot.head);
  for (const name of names) {
    const directory = entries.find((entry) => entry.name === name && entry.type === 'directory');
    if (!directory) return undefined;
    entries = await snapshot.tree(directory.oid);
  }
  const files = entries.filter(({ type }) => type === 'file');
  const exact = files.find(({ name }) => name === last);
  const candidates = exact ? [exact] : files.filter(({ name }) => name.replace(/\.[^.]*$/, '') === last);
  for (const { name, oid } of candidates) {
    const bytes = await snapshot.blob(oid);
    const isFile = exact !== undefined;
    if (bytes.length > LARGEST_FILE_BYTES) continue;
    const notebook = notebookIn(bytes, name);
    if (notebook) return sourceOf(notebook);
    if (isFile) return { is: 'file', text: bytes.toString('utf8') };
  }
  return undefined;
}

/** Returns the notebook if both the name and the content are those of a notebook; any other file is a plain file. */
function notebookIn(bytes: Buffer, name: string): Notebook | undefined {
  try {
    const { imported } = readAuto(bytes, name);
    return imported.type === 'NOTEBOOK' ? imported.notebook : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
