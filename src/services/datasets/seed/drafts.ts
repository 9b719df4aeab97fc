import { ConfigError } from '../../../kernel/config/index.ts';
import { ApiError } from '../../../kernel/http/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { COLUMNS, RELATIONSHIPS, ROWS_PER_REQUEST, TABLES } from '../limits.ts';
import { Mistakes } from '../model/mistakes.ts';
import { type DraftDataset, readDataset } from '../model/read-dataset.ts';
import { PARAMETER_TYPES, type Parameter, valueMistake } from '../parameters/parameter.ts';
import type { SeedContent, SeedDataset, SeedParameter } from './section.ts';

/** A dataset of the seed, validated on its own. */
export interface SeededDataset {
  readonly given: SeedDataset;
  readonly draft: DraftDataset;
  readonly parameters: readonly Parameter[];
  /** Size of its initial rows. */
  readonly bytes: number;
  /** Path for errors, for example `workspaces[0].datasets[1]`. */
  readonly at: string;
}

export const mistakeAt = (at: string, message: string): ConfigError =>
  new ConfigError(`seed file: datasets.${at}: ${message}`);

/** Turns an API error into a mistake in the seed. */
export async function asMistake<R>(at: string, action: () => R | Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [detail] = error.details;
    const place = detail?.target ? `${at}.${detail.target}` : at;
    throw new ConfigError(`seed file: datasets.${place}: ${detail?.message ?? error.message}`, { cause: error });
  }
}

/** Every dataset of the seed, grouped by workspace in the order of the seed. */
export function readDrafts({ workspaces = [], myWorkspaces = [] }: SeedContent) {
  const read = (list: string) => (place: { readonly datasets?: readonly SeedDataset[] }, i: number) =>
    Promise.all((place.datasets ?? []).map((given, j) => readDraft(given, `${list}[${i}].datasets[${j}]`)));
  return Promise.all([
    Promise.all(workspaces.map(read('workspaces'))),
    Promise.all(myWorkspaces.map(read('myWorkspaces'))),
  ]);
}

async function readDraft(given: SeedDataset, at: string): Promise<SeededDataset> {
  const { name, tables, relationships, datasources, defaultMode } = given;
  const draft = await asMistake(at, () => {
    const mistakes = new Mistakes();
    const request = omitAbsent({ name, tables, relationships, datasources, defaultMode });
    const found = readDataset(request, mistakes);
    if (found) checkCounts(found, mistakes);
    mistakes.throwAny();
    return found;
  });
  // `readDataset` returns undefined only together with a mistake.
  if (!draft) throw mistakeAt(at, 'the dataset cannot be read');
  const bytes = draft.tables.reduce((sum, { rows }) => sum + JSON.stringify(rows).length, 0);
  return { given, draft, parameters: (given.parameters ?? []).map(readParameter(at)), bytes, at };
}

/** Uses the declared limits: overrides set at run time are not in effect when state is seeded. */
function checkCounts({ tables, relationships }: DraftDataset, mistakes: Mistakes): void {
  const check = (count: number, { limit, title }: { limit: number; title: string }, target: string): void => {
    if (count > limit) mistakes.add(target, `${title}: ${count}, and at most ${limit} are allowed.`);
  };
  check(tables.length, TABLES, 'tables');
  check(relationships.length, RELATIONSHIPS, 'relationships');
  for (const [i, { columns }] of tables.entries()) check(columns.length, COLUMNS, `tables[${i}].columns`);
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  check(rows, ROWS_PER_REQUEST, 'tables');
}

function readParameter(at: string) {
  return (given: SeedParameter, i: number, all: readonly SeedParameter[]): Parameter => {
    const place = `${at}.parameters[${i}]`;
    const type = PARAMETER_TYPES.find((each) => each === given.type);
    if (!type) throw mistakeAt(`${place}.type`, `must be one of ${PARAMETER_TYPES.join(', ')}`);
    if (all.findIndex(({ name }) => name === given.name) !== i)
      throw mistakeAt(`${place}.name`, `there are two parameters with the name '${given.name}'`);
    const parameter: Parameter = { ...given, type, isRequired: given.isRequired ?? false };
    const mistake = valueMistake(parameter, given.currentValue ?? '');
    if (mistake !== undefined) throw mistakeAt(`${place}.currentValue`, `must ${mistake}`);
    return parameter;
  };
}
