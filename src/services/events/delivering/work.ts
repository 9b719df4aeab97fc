import type { WorkHandler } from '../../../kernel/service.ts';

export const DELIVERING_WORK: Readonly<Record<string, WorkHandler>> = {};
