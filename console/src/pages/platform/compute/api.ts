import { allPages, type Platform, writesTo } from '../api.ts';

/** A cluster or a SQL warehouse, in one list. */
export interface Machine {
  readonly kind: 'cluster' | 'warehouse';
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly size: string;
  readonly owner: string;
  readonly source: string;
  readonly since: number | undefined;
  readonly document: Readonly<Record<string, unknown>>;
}

interface Cluster {
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly cluster_source?: string;
  readonly state: string;
  readonly state_message?: string;
  readonly creator_user_name?: string;
  readonly num_workers?: number;
  readonly autoscale?: { readonly min_workers: number; readonly max_workers: number };
  readonly start_time?: number;
  readonly [member: string]: unknown;
}

interface Warehouse {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly size?: string;
  readonly cluster_size?: string;
  readonly creator_name?: string;
  readonly [member: string]: unknown;
}

export const CLUSTERS = '/api/2.1/clusters';
export const WAREHOUSES = '/api/2.0/sql/warehouses';

export const COMPUTE_CHANGE = [...writesTo('clusters', 'sql', 'jobs'), 'work', 'clock'] as const;

const ofCluster = (cluster: Cluster): Machine => {
  const { autoscale, num_workers: workers = 0 } = cluster;
  return {
    kind: 'cluster',
    id: cluster.cluster_id,
    name: cluster.cluster_name,
    state: cluster.state,
    size: autoscale
      ? `${workers} of ${autoscale.min_workers} to ${autoscale.max_workers} workers`
      : `${workers} workers`,
    owner: cluster.creator_user_name ?? '',
    source: (cluster.cluster_source ?? '').toLowerCase(),
    since: cluster.start_time,
    document: cluster,
  };
};

const ofWarehouse = (warehouse: Warehouse): Machine => ({
  kind: 'warehouse',
  id: warehouse.id,
  name: warehouse.name,
  state: warehouse.state,
  size: warehouse.cluster_size ?? warehouse.size ?? '',
  owner: warehouse.creator_name ?? '',
  source: '',
  since: undefined,
  document: warehouse,
});

export async function readMachines(platform: Platform, signal: AbortSignal): Promise<readonly Machine[]> {
  const [clusters, warehouses] = await Promise.all([
    allPages<{ readonly clusters?: readonly Cluster[]; readonly next_page_token?: string }, Cluster>(
      (page_token) => platform.get(`${CLUSTERS}/list`, { page_size: 100, page_token }, signal),
      (page) => page.clusters,
    ),
    allPages<{ readonly warehouses?: readonly Warehouse[]; readonly next_page_token?: string }, Warehouse>(
      (page_token) => platform.get(WAREHOUSES, { page_token }, signal),
      (page) => page.warehouses,
    ),
  ]);
  return [...clusters.rows.map(ofCluster), ...warehouses.rows.map(ofWarehouse)];
}

export const isUp = ({ state }: Machine): boolean =>
  ['RUNNING', 'RESIZING', 'STARTING', 'PENDING', 'RESTARTING'].includes(state);
