import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import type { EventsJar } from '../jar.ts';
import { handshakeEnded } from './ended.ts';
import { handshakeMessage } from './messages.ts';
import { HANDSHAKE, NOTICE } from './policy-names.ts';
import { handshakeVerdict } from './verdict.ts';

const SECOND = 1000;

/** Handshake with an endpoint; a failed attempt is retried once after five seconds. */
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
    // A cancelled handshake changes nothing.
    if (end.cause !== 'cancelled') await handshakeEnded(tx, deliveries, end, jar);
    return undefined;
  },
};

/** Notifies an endpoint that its subscription was deleted; best effort. */
const notice: DeliveryPolicy<EventsJar> = {
  name: NOTICE,
  service: 'events',
  schedule: [10 * SECOND, 30 * SECOND],
  maxAttempts: 3,
  timeoutMs: 30 * SECOND,
};

export const HANDSHAKE_POLICIES: readonly DeliveryPolicy<EventsJar>[] = [handshake, notice];
