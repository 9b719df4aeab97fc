import { ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { defaultWarehouses, warehouseKey, warehouses } from './collections.ts';

/** The warehouse that clients take in a workspace where nobody names one. Nothing is the default until an administrator says so. */

const NAME = 'default_warehouse_id';
const PATH = `/settings/types/${NAME}/names/default`;
/** The version of a setting that nobody has changed. */
const UNSET = 'unset';

async function read(call: PlatformCall, reader: Pick<Tx, 'get'>) {
  const stored = await reader.get(defaultWarehouses, workspaceIn(call).id);
  return { etag: stored?.etag ?? UNSET, value: stored?.value.warehouseId ?? '' };
}

const view = ({ etag, value }: Awaited<ReturnType<typeof read>>) => ({
  etag,
  setting_name: 'default',
  string_val: { value },
});

/** An empty id is no default. */
async function change(call: PlatformCall, etag: string | undefined, warehouseId: string) {
  const { id } = workspaceIn(call);
  return call.jar.store.transact(async (tx) => {
    // Locked before the setting, as by whoever deletes it.
    const found = (await tx.get(warehouses, warehouseKey(id, warehouseId), 'share'))?.value;
    const before = await read(call, tx);
    if (etag !== undefined && etag !== '' && etag !== before.etag)
      throw errors.RESOURCE_CONFLICT({ reason: `The setting ${NAME} has changed meanwhile; read it again.` });
    if (warehouseId !== '' && (!found || found.state === 'DELETING'))
      throw errors.INVALID_PARAMETER_VALUE({ reason: `SQL warehouse ${warehouseId.slice(0, 200)} does not exist.` });
    await tx.put(defaultWarehouses, id, { warehouseId });
    await tx.change({
      source: 'platform',
      kind: 'update',
      subject: `/${id}/settings/${NAME}`,
      outcome: 'Succeeded',
      at: call.jar.clock.now(),
      data: { value: warehouseId },
    });
    return read(call, tx);
  });
}

export const DEFAULT_WAREHOUSE_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    operation: 'defaultWarehouseId_get',
    summary: 'Reads which SQL warehouse is the default',
    code: routeCode([], { handle: async (call) => ok(view(await read(call, call.jar.store))) }),
  },
  {
    method: 'PATCH',
    path: PATH,
    operation: 'defaultWarehouseId_update',
    summary: 'Makes a SQL warehouse the default',
    needs: 'admin',
    code: routeCode([], {
      async handle(call) {
        const setting = new Sent(call.body).member('setting');
        const value = setting?.member('string_val')?.text('value');
        if (value === undefined)
          throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'setting.string_val.value' });
        return ok(view(await change(call, setting?.text('etag'), value)));
      },
    }),
  },
  {
    method: 'DELETE',
    path: PATH,
    operation: 'defaultWarehouseId_delete',
    summary: 'No SQL warehouse is the default any more',
    needs: 'admin',
    code: routeCode([], {
      async handle(call) {
        const { etag } = await change(call, new Sent(call.query).text('etag'), '');
        return ok({ etag });
      },
    }),
  },
];
