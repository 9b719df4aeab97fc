import { guardedObjects } from '../permissions/guarded-objects.ts';
import { GUARDED_CLUSTERS } from './clusters/find.ts';
import { CLUSTER_POLICIES } from './policies/kind.ts';
import { INSTANCE_POOLS } from './pools/kind.ts';

/** Lets the permissions API find clusters, policies and pools. */
export const GUARDED_COMPUTE = {
  'cluster-policies': guardedObjects('cluster-policies', CLUSTER_POLICIES.name),
  clusters: GUARDED_CLUSTERS,
  'instance-pools': guardedObjects('instance-pools', INSTANCE_POOLS.name),
} as const;
