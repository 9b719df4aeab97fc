import type { ResourceType } from '../../../kernel/arm/providers.ts';
import type { Limit } from '../../../kernel/limits/index.ts';

export const TOPIC_TYPES: readonly ResourceType[] = [];
export const TOPIC_LIMITS: readonly Limit[] = [];
