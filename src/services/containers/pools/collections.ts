import { collection } from '../../../kernel/store/index.ts';

/** One slot of a pool: when it is `Running`, a group can be created from it immediately. */
export interface PoolInstance {
  state: 'Creating' | 'Running' | 'Deleting';
  /** By the jar's clock. */
  readyAt: number;
  zone?: string;
}

/** By the key of the pool and an id: `…/standbycontainergrouppools/p/instances/{id}`. */
export const poolInstances = collection<PoolInstance>('containers.pool_instances');

export const instancesOf = (poolKey: string): string => `${poolKey}/instances/`;
