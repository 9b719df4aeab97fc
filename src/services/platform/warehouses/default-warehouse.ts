import { settingOperations } from '../engine/setting.ts';
import { errors } from '../errors.ts';
import { workspaceIn } from '../jar.ts';
import { defaultWarehouses, warehouseKey, warehouses } from './collections.ts';

/** The warehouse that clients use by default in a workspace. None until an administrator sets one. */
export const DEFAULT_WAREHOUSE_OPERATIONS = settingOperations<string>({
  name: 'default_warehouse_id',
  operations: 'defaultWarehouseId',
  summaries: {
    get: 'Reads the id of the default SQL warehouse',
    update: 'Makes a SQL warehouse the default',
    delete: 'Removes the default of the SQL warehouse',
  },
  needs: 'admin',
  member: 'string_val',
  /** An empty id means no default. */
  usual: '',
  scope: (call) => workspaceIn(call).id,
  valueIn: (sent) => sent.text('value'),
  async stored(reader, workspaceId) {
    const found = await reader.get(defaultWarehouses, workspaceId);
    return found && { etag: found.etag, value: found.value.warehouseId };
  },
  /** Lock order: the warehouse before the setting, as in the deletion of a warehouse. */
  async prepare(tx, workspaceId, warehouseId) {
    await tx.get(warehouses, warehouseKey(workspaceId, warehouseId), 'share');
  },
  async write(tx, _call, workspaceId, warehouseId) {
    const found = (await tx.get(warehouses, warehouseKey(workspaceId, warehouseId), 'none'))?.value;
    if (warehouseId !== '' && (!found || found.state === 'DELETING'))
      throw errors.INVALID_PARAMETER_VALUE({ reason: `SQL warehouse ${warehouseId.slice(0, 200)} does not exist.` });
    await tx.put(defaultWarehouses, workspaceId, { warehouseId });
  },
});
