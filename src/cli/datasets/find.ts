import { didYouMean } from '../../kernel/config/config.ts';
import type { ControlClient } from '../control-client.ts';
import { CliError, usageError } from '../errors.ts';

/** A dataset as the control API lists it. */
export interface DatasetAnswer {
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly mode: string;
  readonly retention: string;
  readonly configuredBy: string;
  readonly createdAt: string;
  readonly isPending: boolean;
  readonly rows: number;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly limits: readonly { readonly limit: string; readonly used: number; readonly maximum: number }[];
}

export interface ColumnAnswer {
  readonly name: string;
  readonly dataType: string;
}

export interface TableAnswer {
  readonly name: string;
  readonly columns: readonly ColumnAnswer[];
  readonly measures: readonly { readonly name: string; readonly expression: string }[];
  readonly rows: number;
  /** Number of rows that were ever pushed. */
  readonly pushedRows: number;
}

/** A dataset as typed: an id or a name, and the workspace if several have that name. */
export interface DatasetReference {
  readonly dataset: string;
  readonly workspace?: string | undefined;
}

type Lists = Pick<ControlClient, 'get' | 'list'>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_SUGGESTED = 1000;

export async function findDataset(client: Lists, meant: DatasetReference): Promise<DatasetAnswer> {
  const { dataset: typed, workspace } = meant;
  if (typed === '') throw usageError('the name of the dataset is empty; give its id or its name');
  const all = await candidates(client, typed);
  const here = workspace === undefined ? all : all.filter((each) => isIn(each, workspace));
  // An exact match first, then a case-insensitive one.
  const exact = here.filter(({ name, id }) => name === typed || id === typed.toLowerCase());
  const found = exact.length > 0 ? exact : here;
  const [first] = found;
  if (first && found.length === 1) return first;
  throw first ? ambiguous(typed, found) : await unknown(client, meant, all);
}

async function candidates(client: Lists, typed: string): Promise<readonly DatasetAnswer[]> {
  const where = (filter: string) =>
    client
      .list<DatasetAnswer>(`/_jar/datasets?$filter=${encodeURIComponent(filter)}`)
      .then(({ value }) => byName(value));
  const byId = ID.test(typed) ? await where(`id eq ${typed.toLowerCase()}`) : [];
  return byId.length > 0 ? byId : where(`name eq '${typed.replaceAll("'", "''")}'`);
}

/** Ordered by name, then by workspace, because ids mean nothing to people. */
export const byName = (datasets: readonly DatasetAnswer[]): readonly DatasetAnswer[] =>
  datasets.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.workspace.localeCompare(b.workspace, 'en'));

function isIn({ workspace, workspaceId }: DatasetAnswer, typed: string): boolean {
  const name = typed.toLowerCase();
  return workspaceId.toLowerCase() === name || workspace.toLowerCase() === name;
}

function ambiguous(typed: string, found: readonly DatasetAnswer[]): CliError {
  const list = found.map(({ id, workspace }) => `${id} in workspace '${workspace}'`).join(', ');
  return new CliError(`there are ${found.length} datasets '${typed}': ${list}; choose one by id or with --workspace`);
}

async function unknown(client: Lists, { dataset, workspace }: DatasetReference, elsewhere: readonly DatasetAnswer[]) {
  const place = workspace === undefined ? '' : ` in workspace '${workspace}'`;
  const none = `there is no dataset '${dataset}'${place}`;
  if (elsewhere.length > 0) {
    const places = elsewhere.map((each) => `'${each.workspace}'`).join(', ');
    return new CliError(`${none}; there is one in ${places}`);
  }
  const { value } = await client.list<DatasetAnswer>('/_jar/datasets', MOST_SUGGESTED);
  const near = didYouMean(
    dataset,
    value.map(({ name }) => name),
  );
  return new CliError(`${none} (${near === undefined ? 'cloudjar datasets lists them' : `did you mean ${near}?`})`);
}

export async function tablesOf(client: Lists, id: string): Promise<readonly TableAnswer[]> {
  const { tables } = (await client.get(`/_jar/datasets/${id}/schema`)) as { tables: TableAnswer[] };
  return tables;
}

/** The table with this name, case-insensitively; without a name, the only table of the dataset. */
export async function findTable(client: Lists, { id, name }: DatasetAnswer, typed?: string): Promise<TableAnswer> {
  const tables = await tablesOf(client, id);
  const names = tables.map((table) => table.name);
  const known = `${name} has ${names.map((each) => `'${each}'`).join(', ')}`;
  if (typed === undefined) {
    const [only] = tables;
    if (only && tables.length === 1) return only;
    throw usageError(`choose the table with --table: ${known}`);
  }
  const near = tables.filter((table) => table.name.toLowerCase() === typed.toLowerCase());
  const found = tables.find((table) => table.name === typed) ?? (near.length === 1 ? near[0] : undefined);
  if (!found) throw new CliError(`there is no table '${typed}': ${known}`);
  return found;
}

export const rowsPath = (dataset: string, table: string): string =>
  `/_jar/datasets/${dataset}/tables/${encodeURIComponent(table)}/rows`;
