import type { Operation } from '../../operation.ts';

export const CONSTRAINT_OPERATIONS: readonly Operation[] = [];
