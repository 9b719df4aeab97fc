import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { roomProgram } from '../../clean-rooms/running/program.ts';
import { readTaskVariables } from '../../secrets/task-variables.ts';
import type { Ending } from '../run.ts';
import type { NotebookSource, TaskRun } from '../task-run.ts';
import { lookupFor } from './lookup.ts';
import { asEnvironment, directivesIn, type Parameters, type Program, parametersOf, simulationOf } from './program.ts';
import { NOTEBOOK_RUNNER, PYTHON_PRELUDE } from './python-prelude.ts';
import { resolve } from './references.ts';
import type { RunChange } from './run-change.ts';
import { readFromGit, readSource, type Source } from './sources.ts';

/** A program, or the reason why it cannot be built. */
export type BuiltProgram =
  | { readonly program: Program; readonly image?: string; readonly notebook?: NotebookSource }
  | { readonly problem: string; readonly code?: NonNullable<Ending['code']> };

/** Directory of the program files in a container. */
const FOLDER = '/cloudjar';

/** Builds the program of a task, with its parameters and references filled in. */
export async function buildProgram(
  change: RunChange,
  task: TaskRun,
): Promise<BuiltProgram & { readonly resolved: JsonMembers }> {
  const settings = change.settingsFor(task);
  const lookup = await lookupFor(change, task);
  const own = resolve(settings[task.kind], lookup) as JsonMembers;
  const parameters = parametersOf(task.kind, own, change.run.overriding, change.run.parameters);
  const cluster = clusterOf(change, task);
  const image = cluster?.docker_image?.url;
  const path = task.kind === 'notebook_task' ? own.notebook_path : own.python_file;
  const common = { resolved: own, ...(image !== undefined && { image }) };
  const given = await readTaskVariables(change.tx, change.jar, change.run, cluster?.spark_env_vars);
  if (typeof given === 'string') return { ...common, problem: given };
  const environment = {
    environment: { ...given.variables, ...environmentOf(change, task, parameters) },
    ...(given.hidden.length > 0 && { hidden: given.hidden }),
  };
  if (task.cleanRoom !== undefined && typeof own.cloudjar !== 'string') {
    const found = await roomProgram(change, task);
    if (typeof found === 'string') return { ...common, problem: found, code: 'RESOURCE_NOT_FOUND' };
    const all = { ...parameters, named: { ...parameters.named, ...found.named } };
    const within = { ...environment, environment: { ...environment.environment, ...asEnvironment(found.named) } };
    return { ...common, program: programOf(found.source, '', all, within), notebook: found.source };
  }
  if (typeof path !== 'string') {
    const simulation = simulationOf(typeof own.cloudjar === 'string' ? own.cloudjar : '');
    return { ...common, program: { ...simulation, files: {}, ...environment, needs: 'image' } };
  }
  const isGit = own.source === 'GIT';
  const source = await (isGit ? readFromGit(change.tx, change.run, path) : readSource(change, path));
  if (typeof source === 'string')
    return { ...common, problem: source, code: isGit ? 'REPOSITORY_CHECKOUT_FAILED' : 'RESOURCE_NOT_FOUND' };
  const program = programOf(source, path, parameters, environment);
  return { ...common, program, ...(source.is === 'notebook' && { notebook: source }) };
}

function programOf(
  source: Source,
  path: string,
  parameters: Parameters,
  shared: Pick<Program, 'environment' | 'hidden'>,
): Program {
  const words = parameters.positional;
  if (source.is === 'file') {
    const isShell = path.endsWith('.sh');
    const simulation = isShell ? { script: source.text } : simulationOf(directivesIn(source.text));
    const name = isShell ? 'main.sh' : 'main.py';
    return {
      ...shared,
      ...simulation,
      script: withParameters(simulation.script, words),
      command: isShell
        ? ['sh', `${FOLDER}/${name}`, ...words]
        : ['python3', `${FOLDER}/run.py`, `${FOLDER}/${name}`, ...words],
      files: {
        [name]: source.text,
        ...(!isShell && { 'run.py': PYTHON_PRELUDE }),
        'parameters.json': JSON.stringify(parameters),
      },
      needs: isShell ? 'shell' : 'python',
    };
  }
  const steps = source.cells.map(({ language, text }) => (language === 'sh' ? text : directivesIn(text)));
  return {
    ...shared,
    ...simulationOf(steps.filter((step) => step.trim() !== '').join('\n')),
    command: ['python3', `${FOLDER}/run.py`, `${FOLDER}/notebook.json`],
    files: {
      'run.py': PYTHON_PRELUDE + NOTEBOOK_RUNNER,
      'notebook.json': JSON.stringify(source.cells),
      'parameters.json': JSON.stringify(parameters),
    },
    needs: 'python',
  };
}

/** Sets `$1` and the further positional parameters of the script. */
const withParameters = (script: string, words: readonly string[]): string =>
  words.length === 0
    ? script
    : `set -- ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}\n${script}`;

function environmentOf({ run }: RunChange, task: TaskRun, { named }: Parameters): Record<string, string> {
  return {
    ...asEnvironment(named),
    CLOUDJAR_JOB_ID: run.jobId ?? '',
    CLOUDJAR_RUN_ID: run.id,
    CLOUDJAR_TASK_RUN_ID: task.id,
    CLOUDJAR_TASK_KEY: task.key,
    CLOUDJAR_ATTEMPT: String(task.attempt),
    CLOUDJAR_WORKSPACE_ID: run.workspaceId,
  };
}

interface TaskCluster {
  readonly docker_image?: { readonly url?: string };
  readonly spark_env_vars?: unknown;
}

/** Cluster settings of the task itself. */
function clusterOf(change: RunChange, task: TaskRun): TaskCluster | undefined {
  const settings = change.settingsFor(task);
  const shared = change.plan.job_clusters?.find(({ job_cluster_key }) => job_cluster_key === settings.job_cluster_key);
  return (settings.new_cluster ?? shared?.new_cluster) as TaskCluster | undefined;
}
