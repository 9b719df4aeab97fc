import { collection } from '../../../kernel/store/index.ts';

/** One place of a pool: an instance that a group can be made from at once when it is `Running`. */
export interface PoolInstance {
  state: 'Creating' | 'Running' | 'Deleting';
  /** By the jar's clock. */
  readyAt: number;
  zone?: string;
}

/** By the key of the pool and an id: `…/standbycontainergrouppools/p/instances/{id}`. */
export const poolInstances = collection<PoolInstance>('containers.pool_instances');

export const instancesOf = (poolKey: string): string => `${poolKey}/instances/`;
