import { Type } from 'typebox';
import type { RateLimit } from '../../../kernel/limits/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type TableState, tableStates, workspaces } from '../collections.ts';
import type { DatasetsJar } from '../jar.ts';
import { PENDING_PUSHES, PUSHES_PER_HOUR, PUSHES_PER_MINUTE, ROWS_PER_HOUR } from '../limits.ts';
import type { Dataset } from '../model/types.ts';

const Count = Type.Integer();

const TableStats = Type.Object({
  name: Type.String(),
  rows: Count,
  pushedRequests: Count,
  pushedRows: Count,
  pushedBytes: Count,
  lastPushAt: Type.Optional(Type.String()),
});

const LimitUse = Type.Object({ limit: Type.String(), used: Count, remaining: Count, maximum: Count });

export const StatsView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tenantId: Type.String(),
  workspaceId: Type.String(),
  workspace: Type.String(),
  mode: Type.String(),
  retention: Type.String(),
  ownerId: Type.String(),
  configuredBy: Type.String(),
  createdAt: Type.String(),
  isPending: Type.Boolean(),
  rows: Count,
  pushedRows: Count,
  pushedBytes: Count,
  tables: Type.Array(TableStats),
  limits: Type.Array(LimitUse),
});

/** A dataset with totals over its tables. */
export interface DatasetStats {
  readonly dataset: Dataset;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly tables: readonly TableState[];
  readonly rows: number;
  readonly pushedRows: number;
  readonly pushedBytes: number;
}

export async function statsOf({ store }: Pick<DatasetsJar, 'store'>, dataset: Dataset): Promise<DatasetStats> {
  const found = await readAll(store, tableStates, { prefix: `${dataset.id}/` });
  const states = new Map(found.map(({ value }) => [value.storage, value]));
  const tables = dataset.tables.flatMap(({ storage }) => states.get(storage) ?? []);
  const sum = (of: (table: TableState) => number): number => tables.reduce((total, table) => total + of(table), 0);
  const workspace = (await store.cached(workspaces, dataset.workspace))?.value;
  return {
    dataset,
    // The workspace may have been deleted a moment ago.
    workspace: workspace ?? { id: dataset.workspace, name: '' },
    tables,
    rows: sum(({ rows }) => rows),
    pushedRows: sum(({ pushed }) => pushed.rows),
    pushedBytes: sum(({ pushed }) => pushed.bytes),
  };
}

/** The limits shown with a dataset. */
const COUNTED: readonly RateLimit[] = [ROWS_PER_HOUR, PUSHES_PER_MINUTE, PUSHES_PER_HOUR, PENDING_PUSHES];

export async function statsView(jar: DatasetsJar, growth: DatasetStats) {
  const { dataset, workspace, tables, rows, pushedRows, pushedBytes } = growth;
  const { id, name, tenantId, mode, retention, ownerId, configuredBy, createdAt, isPending } = dataset;
  return {
    id,
    name,
    tenantId,
    workspaceId: workspace.id,
    workspace: workspace.name,
    mode,
    retention,
    ownerId,
    configuredBy,
    createdAt: isoTime(createdAt),
    isPending,
    rows,
    pushedRows,
    pushedBytes,
    tables: tables.map(tableView),
    limits: await Promise.all(COUNTED.map((limit) => useOf(jar, limit, id))),
  };
}

const tableView = ({ table, rows, pushed, lastPushAt }: TableState) => ({
  name: table,
  rows,
  pushedRequests: pushed.requests,
  pushedRows: pushed.rows,
  pushedBytes: pushed.bytes,
  ...(lastPushAt !== undefined && { lastPushAt: isoTime(lastPushAt) }),
});

/** A limit without recent pushes has no counter and counts as unused. */
async function useOf({ limits }: DatasetsJar, limit: RateLimit, dataset: string) {
  const [use] = await limits.usage(limit, { where: new Map([[0, dataset]]), most: 1 });
  const { maximum } = limits.overrides.of(limit, [dataset]);
  return { limit: limit.name, used: use?.used ?? 0, remaining: use?.remaining ?? maximum, maximum };
}
