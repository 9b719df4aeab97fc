import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import type { EventsJar } from '../jar.ts';
import { handshakeEnded } from './ended.ts';
import { handshakeMessage } from './messages.ts';
import { HANDSHAKE, NOTICE } from './policy-names.ts';
import { handshakeVerdict } from './verdict.ts';

const SECOND = 1000;

/** Asks an endpoint whether it wants to get events; one more try five seconds after a failed one. */
const handshake: DeliveryPolicy<EventsJar> = {
  name: HANDSHAKE,
  service: 'events',
  schedule: [5 * SECOND],
  maxAttempts: 2,
  timeoutMs: 30 * SECOND,
  keptHeaders: ['webhook-allowed-origin', 'webhook-allowed-rate'],
  classify: handshakeVerdict,
  compose: handshakeMessage,
  async ended(tx, deliveries, end, jar) {
    // Whoever takes one back has no more need of its end.
    if (end.cause !== 'cancelled') await handshakeEnded(tx, deliveries, end, jar);
    return undefined;
  },
};

/** Tells an endpoint that its subscription is gone; nobody minds much if that does not arrive. */
const notice: DeliveryPolicy<EventsJar> = {
  name: NOTICE,
  service: 'events',
  schedule: [10 * SECOND, 30 * SECOND],
  maxAttempts: 3,
  timeoutMs: 30 * SECOND,
};

export const HANDSHAKE_POLICIES: readonly DeliveryPolicy<EventsJar>[] = [handshake, notice];
