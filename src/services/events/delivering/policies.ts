import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';

export const EVENT_POLICIES: readonly DeliveryPolicy[] = [];
