import type { Json } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { TaskKind } from '../task-kinds.ts';
import { textOf } from './references.ts';

/** What a task runs: a script for the simulated shell, and the same with its sources for a container. */
export interface Program {
  /** Of the simulated shell. */
  readonly script: string;
  /** Nothing says what the program does: the script only takes time. */
  readonly isPause?: true;
  /** Of a container: where the image's own command is not to be used. */
  readonly command?: readonly string[];
  /** By path, for a container. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Values of secrets in the environment, which are removed from what the program writes. */
  readonly hidden?: readonly string[];
  /** `python`: it needs an image with Python; `shell`: any with a shell; `image`: the one that the task names. */
  readonly needs: 'python' | 'shell' | 'image';
}

/** What a program of which nothing says what it does takes. */
export const USUAL_SECONDS = 10;

/** A line such as `# cloudjar: sleep 60; exit 1` says what the simulated shell does in place of the program. */
const DIRECTIVE = /^\s*(?:#|--|\/\/)\s*cloudjar:(.*)$/s;

/** The directives of a source, as a script. */
export const directivesIn = (source: string): string =>
  source
    .split('\n')
    .map((line) => DIRECTIVE.exec(line)?.[1]?.trim() ?? '')
    .filter((script) => script !== '')
    .join('\n');

/** What the simulated shell runs: the script, or a pause where nothing says what a program does. */
export const simulationOf = (script: string): Pick<Program, 'script' | 'isPause'> =>
  script.trim() === '' ? { script: `sleep ${USUAL_SECONDS}`, isPause: true } : { script };

/** Parameters of a call, by the field that carries them to tasks of a kind. */
const OVERRIDES: Readonly<Partial<Record<TaskKind, string>>> = {
  notebook_task: 'notebook_params',
  clean_rooms_notebook_task: 'notebook_params',
  spark_python_task: 'python_params',
  spark_jar_task: 'jar_params',
  spark_submit_task: 'spark_submit_params',
  sql_task: 'sql_params',
};

const OWN: Readonly<Partial<Record<TaskKind, string>>> = {
  notebook_task: 'base_parameters',
  clean_rooms_notebook_task: 'notebook_base_parameters',
  spark_python_task: 'parameters',
  python_wheel_task: 'parameters',
  spark_jar_task: 'parameters',
  spark_submit_task: 'parameters',
  sql_task: 'parameters',
};

export interface Parameters {
  readonly named: Readonly<Record<string, string>>;
  readonly positional: readonly string[];
}

/** The parameters of a task: its own, then those of the call, then the job's, which win. */
export function parametersOf(
  kind: TaskKind,
  settings: JsonMembers,
  overriding: JsonMembers,
  ofJob: readonly { readonly name: string; readonly value: string }[],
): Parameters {
  const own = OWN[kind] === undefined ? undefined : settings[OWN[kind]];
  const call = OVERRIDES[kind] === undefined ? undefined : overriding[OVERRIDES[kind]];
  const jobs = Object.fromEntries(ofJob.map(({ name, value }) => [name, value]));
  const named = {
    ...membersOf(settings.named_parameters),
    ...membersOf(own),
    ...membersOf(overriding.python_named_params),
    ...membersOf(call),
    ...jobs,
  };
  const positional = listOf(call) ?? listOf(own) ?? [];
  return { named, positional };
}

const membersOf = (value: Json | undefined): Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, textOf(each)]])),
      )
    : {};

const listOf = (value: Json | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.map((each) => textOf(each as Json)) : undefined;

/** The names that a shell takes as variables. */
export const asEnvironment = (named: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(named).filter(([name]) => /^[A-Za-z_]\w*$/.test(name)));
