import type { Operation } from '../operation.ts';
import { CLUSTER_OPERATIONS } from './clusters/operations.ts';
import { CONTEXT_OPERATIONS } from './contexts/operations.ts';
import { INIT_SCRIPT_OPERATIONS } from './init-scripts/operations.ts';
import { LIBRARY_OPERATIONS } from './libraries/operations.ts';
import { POLICY_OPERATIONS } from './policies/operations.ts';
import { POOL_OPERATIONS } from './pools/operations.ts';

/** Every operation of compute. */
export const COMPUTE_OPERATIONS: readonly Operation[] = [
  ...CLUSTER_OPERATIONS,
  ...CONTEXT_OPERATIONS,
  ...INIT_SCRIPT_OPERATIONS,
  ...LIBRARY_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...POOL_OPERATIONS,
];
