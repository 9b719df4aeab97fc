import { collection } from '../../../../kernel/store/index.ts';

/** Machines that clusters have returned to a pool, from the latest to the earliest. The key is that of the pool. */
export interface PoolReturns {
  readonly returned: readonly { readonly at: number; readonly count: number }[];
}

export const poolReturns = collection<PoolReturns>('platform.pool_returns');

export const poolKey = (workspaceId: string, pool: string): string => `${workspaceId}/${pool}`;
