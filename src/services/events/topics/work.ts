import type { WorkHandler } from '../../../kernel/service.ts';

export const TOPIC_WORK: Readonly<Record<string, WorkHandler>> = {};
