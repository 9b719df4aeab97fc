import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { ViewContext } from '../engine/kind.ts';
import type { Warehouse } from './collections.ts';

const PORT = 443;

/** Wire form of a warehouse. Clients that wait for a state read `health`, so it is always present. */
export function warehouseView(warehouse: Warehouse, { nameOf }: ViewContext): JsonMembers {
  const { id, workspaceId, name, settings, state, creator, busy } = warehouse;
  const hostname = `${workspaceId}.platform.localhost`;
  const path = `/sql/1.0/warehouses/${id}`;
  const isUp = state === 'RUNNING';
  return omitAbsent({
    id,
    ...settings,
    name,
    max_num_clusters: settings.max_num_clusters ?? settings.min_num_clusters,
    size: settings.cluster_size,
    creator_name: nameOf(creator),
    auto_resume: true,
    state,
    num_clusters: isUp ? Number(settings.min_num_clusters) : 0,
    num_active_sessions: isUp ? busy : 0,
    jdbc_url: `jdbc:spark://${hostname}:${PORT}/default;transportMode=http;ssl=1;AuthMech=3;httpPath=${path};`,
    odbc_params: { hostname, path, port: PORT, protocol: 'https' },
    health: { status: 'HEALTHY', message: '', summary: '', details: '' },
  });
}

/** A warehouse in the form of older APIs. */
export const dataSourceView = ({ id, name, dataSource, state }: Warehouse): JsonMembers => ({
  id: dataSource,
  name,
  warehouse_id: id,
  type: 'databricks_internal',
  syntax: 'sql',
  paused: 0,
  pause_reason: null,
  supports_auto_limit: true,
  view_only: state === 'DELETING',
});
