import { control, dataOf, type operations } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Dataset = RowOf<'/_jar/datasets'>;
export type StoredRow = RowOf<'/_jar/datasets/{dataset}/tables/{table}/newest'>;
export type Table =
  operations['Jar_GetDatasetSchema']['responses'][200]['content']['application/json']['tables'][number];
export type Column = Table['columns'][number];
export type Value = string | number | boolean | null;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A filter for the dataset with this id, if the text is one: ids are guids, which have no parts to search for. */
export function idFilterOf(text: string | undefined): string | undefined {
  const id = text?.trim() ?? '';
  return ID.test(id) ? `id eq ${id}` : undefined;
}

const NUMBERS: ReadonlySet<string> = new Set(['Int64', 'Decimal', 'Double']);

export const isNumeric = (type: string): boolean => NUMBERS.has(type);

export const rowsPath = (dataset: string, table: string): string =>
  `/_jar/datasets/${dataset}/tables/${encodeURIComponent(table)}/newest`;

const PERSONAL = 'My workspace';

/** The path of a dataset in the API of the service: a personal workspace has no path of its own, and applications have no other. */
export const ownPathOf = ({ id, workspace, workspaceId }: Dataset): string =>
  workspace === PERSONAL ? `/v1.0/myorg/datasets/${id}` : `/v1.0/myorg/groups/${workspaceId}/datasets/${id}`;

/** Changes a dataset with the rights of its owner. */
export const asOwner = (dataset: Dataset, method: string, path = ''): Promise<unknown> =>
  askService(ownPathOf(dataset) + path, { method, as: dataset.ownerId });

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, Value>>[];
  /** Why rows are missing. */
  readonly notes: readonly string[];
}

export async function runQuery(dataset: string, query: string, signal: AbortSignal): Promise<QueryResult> {
  const text = await dataOf(
    control.POST('/_jar/datasets/{dataset}/queries', {
      params: { path: { dataset } },
      body: { query },
      parseAs: 'text',
      signal,
    }),
  );
  return withAllDigits(text) as QueryResult;
}

/** Numbers that a double cannot hold stay text, in browsers that know the text of a number. */
function withAllDigits(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && String(value) !== source && !/e/i.test(source)
      ? source
      : value;
  });
}

/** Adds one row without counting towards the rate limits of pushes. */
export const pushRow = (dataset: string, table: string, row: Readonly<Record<string, unknown>>) =>
  dataOf(
    control.POST('/_jar/datasets/{dataset}/tables/{table}/rows', {
      params: { path: { dataset, table } },
      body: JSON.stringify(row),
      bodySerializer: (body) => String(body),
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  );
