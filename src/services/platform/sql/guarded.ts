import type { Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../accounts/collections.ts';
import { objectKey, objects } from '../engine/objects.ts';
import { guardedObjects } from '../permissions/guarded-objects.ts';
import type { ObjectType } from '../permissions/levels.ts';

/** SQL objects can be transferred to another owner. */
const ownedObjects = (type: ObjectType, kind: string) => ({
  ...guardedObjects(type, kind),
  async transfer(tx: Tx, workspaceId: string, id: string, owner: Principal): Promise<void> {
    const key = objectKey(workspaceId, kind, id);
    const found = (await tx.get(objects, key))?.value;
    if (found) await tx.put(objects, key, { ...found, owner: owner.id });
  },
});

/** SQL objects with permissions, by object type and kind name. */
export const GUARDED_SQL = {
  alerts: ownedObjects('alerts', 'alerts'),
  alertsv2: ownedObjects('alertsv2', 'alerts-v2'),
  dashboards: ownedObjects('dashboards', 'lakeview-dashboards'),
  'dbsql-dashboards': ownedObjects('dbsql-dashboards', 'legacy-dashboards'),
  queries: ownedObjects('queries', 'queries'),
};
