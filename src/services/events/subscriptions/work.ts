import type { WorkHandler } from '../../../kernel/service.ts';

export const SUBSCRIPTION_WORK: Readonly<Record<string, WorkHandler>> = {};
