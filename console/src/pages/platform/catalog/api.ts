import { allPages, type Platform, writesTo } from '../api.ts';

export const KINDS = ['catalog', 'schema', 'table', 'volume', 'function', 'model'] as const;
export type Kind = (typeof KINDS)[number];

/** What all objects of the catalog have; each kind has members of its own. */
export interface Securable {
  readonly name: string;
  readonly full_name?: string;
  readonly owner?: string;
  readonly comment?: string;
  readonly created_at?: number;
  readonly created_by?: string;
  readonly updated_at?: number;
  readonly [member: string]: unknown;
}

export const CATALOG = '/api/2.1/unity-catalog';

export const CATALOG_CHANGE = [
  ...writesTo('unity-catalog', 'fs', 'sql'),
  '/api/2.0/mlflow/unity-catalog',
  'work',
] as const;

/** The list that has the objects of a kind, and the member of its answer. */
export const LISTS: Readonly<Record<Kind, string>> = {
  catalog: 'catalogs',
  schema: 'schemas',
  table: 'tables',
  volume: 'volumes',
  function: 'functions',
  model: 'models',
};

/** An object in the tree: `table/main.sales.orders`. */
export const idOf = (kind: Kind, fullName: string): string => `${kind}/${fullName}`;

export function readId(id: string): { readonly kind: Kind; readonly fullName: string } | undefined {
  const at = id.indexOf('/');
  const kind = KINDS.find((each) => each === id.slice(0, at));
  return kind && { kind, fullName: id.slice(at + 1) };
}

interface Found {
  readonly kind: Kind;
  readonly fullName: string;
  readonly name: string;
}

/** What is below an object: catalogs, the schemas of a catalog, or everything in a schema. */
export async function below(platform: Platform, id: string, signal: AbortSignal): Promise<readonly Found[]> {
  const parent = readId(id);
  if (!parent) return listOf(platform, 'catalog', {}, signal);
  if (parent.kind === 'catalog') return listOf(platform, 'schema', { catalog_name: parent.fullName }, signal);
  if (parent.kind !== 'schema') return [];
  const [catalog_name, schema_name] = parent.fullName.split('.');
  const query = { catalog_name, schema_name };
  const found = await Promise.all(
    (['table', 'volume', 'function', 'model'] as const).map((kind) =>
      listOf(platform, kind, kind === 'table' ? { ...query, omit_columns: 'true' } : query, signal),
    ),
  );
  return found.flat();
}

type ListPage = { readonly next_page_token?: string } & Readonly<Record<string, unknown>>;

async function listOf(
  platform: Platform,
  kind: Kind,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const { rows } = await allPages<ListPage, Securable>(
    (page_token) => platform.get(`${CATALOG}/${LISTS[kind]}`, { ...query, page_token }, signal),
    (page) => page[kind === 'model' ? 'registered_models' : LISTS[kind]] as readonly Securable[] | undefined,
  );
  return rows.map(({ name, full_name = name }) => ({ kind, name, fullName: full_name }));
}
