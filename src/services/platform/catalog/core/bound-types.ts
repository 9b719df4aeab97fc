import type { SecurableType } from './privileges.ts';

/** Types that can be isolated and bound to workspaces. */
export const BOUND_TYPES: readonly SecurableType[] = ['catalog', 'credential', 'external_location'];
