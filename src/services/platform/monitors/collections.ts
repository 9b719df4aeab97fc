import { collection, number, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';

export type MonitorStatus = 'PENDING' | 'ACTIVE' | 'ERROR' | 'FAILED' | 'DELETE_PENDING';

/** Monitors the data of a table, or of the tables in a schema. The key is the id of that table or schema. */
export interface Monitor {
  /** The id of the table or schema. */
  readonly object: string;
  readonly objectType: 'table' | 'schema';
  readonly metastore: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly status: MonitorStatus;
  readonly createdAt: number;
  readonly createdBy: string;
  /** The ids of the schema and tables that metrics are written to; a monitor of a schema has none. */
  readonly outputSchema?: string;
  readonly profileTable?: string;
  readonly driftTable?: string;
  readonly dashboard?: string;
  /** Number of refreshes so far, from which the next id is derived. */
  readonly refreshes: number;
  /** As in both APIs: `snapshot`, `schedule`, `slicing_exprs` and so on. */
  readonly config: JsonMembers;
}

export const monitors = collection<Monitor>('platform.monitors', {
  fields: { metastore: text((it) => it.metastore), createdAt: number((it) => it.createdAt) },
  indexes: [['metastore', 'createdAt']],
});

export type RefreshState = 'PENDING' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELED';

/** One refresh of a monitor. The key is `refreshKey`. */
export interface MonitorRefresh {
  readonly object: string;
  readonly id: number;
  readonly state: RefreshState;
  readonly trigger: 'MANUAL' | 'SCHEDULE';
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly message?: string;
}

export const refreshKey = (object: string, id: number): string => `${object}/${String(id).padStart(12, '0')}`;

export const monitorRefreshes = collection<MonitorRefresh>('platform.monitor_refreshes');

export const MONITOR_COLLECTIONS = [monitors, monitorRefreshes] as const;
