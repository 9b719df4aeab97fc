import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { AclEntry } from '../permissions/acl.ts';
import type { Guarded } from '../permissions/guard.ts';
import { type Warehouse, warehouseKey, warehouses } from './collections.ts';

export const guardedWarehouse = ({ id, acl }: Warehouse): Guarded => ({ type: 'warehouses', id, acl });

/** Gives the permissions API access to warehouses. */
export const GUARDED_WAREHOUSES = {
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const found = (await reader.get(warehouses, warehouseKey(workspaceId, id)))?.value;
    return found && found.state !== 'DELETING' ? guardedWarehouse(found) : undefined;
  },
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    const key = warehouseKey(workspaceId, id);
    const found = (await tx.get(warehouses, key))?.value;
    if (found) await tx.put(warehouses, key, { ...found, acl });
  },
};
