import type { Json } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { TaskKind } from '../task-kinds.ts';
import { textOf } from './references.ts';

/** The program of a task: a script for the simulated shell, and the same program with its sources for a container. */
export interface Program {
  /** For the simulated shell. */
  readonly script: string;
  /** The source has no directives: the script only waits. */
  readonly isPause?: true;
  /** For a container; absent if the image's own command runs. */
  readonly command?: readonly string[];
  /** Files of a container, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Values of secrets in the environment, which are removed from the output of the program. */
  readonly hidden?: readonly string[];
  /** `python`: needs an image with Python; `shell`: any image with a shell; `image`: the image that the task names. */
  readonly needs: 'python' | 'shell' | 'image';
}

/** Simulated duration of a program without directives. */
export const USUAL_SECONDS = 10;

/** A line such as `# cloudjar: sleep 60; exit 1` is a directive: what the simulated shell executes in place of the program. */
const DIRECTIVE = /^\s*(?:#|--|\/\/)\s*cloudjar:(.*)$/s;

/** The directives of a source, as a script. */
export const directivesIn = (source: string): string =>
  source
    .split('\n')
    .map((line) => DIRECTIVE.exec(line)?.[1]?.trim() ?? '')
    .filter((script) => script !== '')
    .join('\n');

/** What the simulated shell runs: the script, or a pause if the script is empty. */
export const simulationOf = (script: string): Pick<Program, 'script' | 'isPause'> =>
  script.trim() === '' ? { script: `sleep ${USUAL_SECONDS}`, isPause: true } : { script };

/** The field of a call that carries parameters to tasks of a kind. */
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

/** The parameters of a task: its own, overridden by those of the call, overridden by those of the job. */
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

/** Keeps the names that are valid shell variables. */
export const asEnvironment = (named: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(named).filter(([name]) => /^[A-Za-z_]\w*$/.test(name)));
