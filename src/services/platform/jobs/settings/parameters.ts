import { isList, isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { flag, integer, invalid, mapOf, object, type Rules, readMembers, text, texts } from './rules.ts';
import { LEGACY_PARAMETERS } from './task-rules.ts';

/** Parameters of one run, from the call that starts or repairs it. */

/** Limit of each map and list, as JSON. */
const MOST_BYTES = 10_000;

const RULES: Rules = {
  job_id: integer(),
  run_id: integer(),
  job_parameters: mapOf(text()),
  ...LEGACY_PARAMETERS,
  only: texts,
  queue: object({ enabled: flag }),
  idempotency_token: text({ most: 64 }),
  rerun_tasks: texts,
  rerun_all_failed_tasks: flag,
  rerun_dependent_tasks: flag,
  latest_repair_id: integer(),
};

/** Validates the body of `run-now` or `runs/repair`. */
export function readRunRequest(sent: unknown): JsonMembers {
  const found = readMembers(RULES, sent ?? {});
  for (const name of ['job_parameters', ...Object.keys(LEGACY_PARAMETERS)]) {
    const value = found[name];
    if (value === undefined) continue;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes > MOST_BYTES) throw invalid(`${name} must have at most ${MOST_BYTES} bytes as JSON; it has ${bytes}.`);
  }
  if (found.notebook_params !== undefined && found.jar_params !== undefined)
    throw invalid('notebook_params cannot be specified in conjunction with jar_params.');
  return found;
}

/** The legacy parameters of a call, as they were sent. */
export const overridingOf = (request: JsonMembers): JsonMembers =>
  Object.fromEntries(
    Object.keys(LEGACY_PARAMETERS).flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  );

/** The parameters of the job with the values of a call. A name that the job does not define is passed on anyway, without a default. */
export function parametersOf(
  { parameters = [] }: Pick<JobSettings, 'parameters'>,
  given: JsonMembers[string],
): Run['parameters'] {
  const values = isObject(given) && !isList(given) ? given : {};
  const defined = new Set(parameters.map(({ name }) => name));
  const further = Object.keys(values).filter((name) => !defined.has(name));
  const chosen = (name: string, usual: string): string => {
    const value = values[name];
    return Object.hasOwn(values, name) && typeof value === 'string' ? value : usual;
  };
  return [
    ...parameters.map(({ name, default: usual }) => ({ name, default: usual, value: chosen(name, usual) })),
    ...further.map((name) => ({ name, default: '', value: chosen(name, '') })),
  ];
}
