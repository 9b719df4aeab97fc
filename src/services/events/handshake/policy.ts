import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';

export const HANDSHAKE_POLICIES: readonly DeliveryPolicy[] = [];
