import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import { handshakeVerdict } from './verdict.ts';
import { endQuestion } from './waiting.ts';

export const HANDSHAKE = 'business.handshake';

const TIMEOUT_MS = 5000;

/** Asks a receiver whether it wants notifications: once, while the caller waits. */
export const HANDSHAKE_POLICY: DeliveryPolicy = {
  name: HANDSHAKE,
  service: 'business',
  schedule: [0],
  maxAttempts: 1,
  timeoutMs: TIMEOUT_MS,
  classify: handshakeVerdict,
  async ended(tx, deliveries, end, jar) {
    for (const { destination } of deliveries) tx.afterCommit(() => endQuestion(jar, destination, end));
    return undefined;
  },
};
