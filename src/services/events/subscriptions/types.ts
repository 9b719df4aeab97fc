import type { ResourceType } from '../../../kernel/arm/providers.ts';
import type { Limit } from '../../../kernel/limits/index.ts';

export const SUBSCRIPTION_TYPES: readonly ResourceType[] = [];
export const SUBSCRIPTION_LIMITS: readonly Limit[] = [];
