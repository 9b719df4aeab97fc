import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

export type WarehouseState = 'STARTING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'DELETING';

/** A SQL warehouse. The key is `warehouseKey`. */
export interface Warehouse {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly region: string;
  readonly name: string;
  /** Id of its data source in older APIs. */
  readonly dataSource: string;
  readonly creator: string;
  readonly acl: readonly AclEntry[];
  readonly settings: JsonMembers;
  readonly state: WarehouseState;
  readonly createdAt: number;
  readonly lastActivityAt: number;
  /** Number of running statements. */
  readonly busy: number;
  /** Units that it takes of the serverless quota, from its start until it has stopped. */
  readonly units?: number;
}

export const warehouses = collection<Warehouse>('platform.warehouses', {
  fields: {
    workspace: text((it) => it.workspaceId),
    name: text((it) => it.name.toLowerCase()),
    state: text((it) => it.state),
    dataSource: text(({ workspaceId, dataSource }) => `${workspaceId}/${dataSource}`),
    createdAt: number((it) => it.createdAt),
    readers: set(readersOf),
  },
  indexes: [['workspace', 'createdAt'], ['workspace', 'name'], ['dataSource']],
});

export const warehouseKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** Settings for all warehouses of a workspace. The key is the id of the workspace. */
export interface WarehouseConfig {
  readonly settings: JsonMembers;
}

export const warehouseConfigs = collection<WarehouseConfig>('platform.warehouse_configs');

/** The default warehouse of a workspace. The key is the id of the workspace; an empty id means none. */
export const defaultWarehouses = collection<{ readonly warehouseId: string }>('platform.default_warehouses');

export const WAREHOUSE_COLLECTIONS = [warehouses, warehouseConfigs, defaultWarehouses] as const;
