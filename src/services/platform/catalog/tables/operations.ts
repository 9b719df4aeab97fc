import type { Operation } from '../../operation.ts';

export const TABLE_OPERATIONS: readonly Operation[] = [];
