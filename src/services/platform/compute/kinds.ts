import type { ObjectKind } from '../engine/kind.ts';
import { GLOBAL_INIT_SCRIPTS } from './init-scripts/kind.ts';
import { CLUSTER_POLICIES } from './policies/kind.ts';
import { INSTANCE_POOLS } from './pools/kind.ts';

/** Kinds of compute objects that are declared as data. */
export const COMPUTE_KINDS: readonly ObjectKind[] = [CLUSTER_POLICIES, GLOBAL_INIT_SCRIPTS, INSTANCE_POOLS];
