import { type DeliveryPolicy, questionPolicy } from '../../../kernel/delivery/index.ts';
import type { BusinessJar } from '../jar.ts';
import { HANDSHAKE } from '../policies.ts';
import { handshakeVerdict } from './verdict.ts';

const TIMEOUT_MS = 5000;

/** Handshake with a receiver: one attempt, while the caller waits. */
export const HANDSHAKE_POLICY: DeliveryPolicy<BusinessJar> = {
  name: HANDSHAKE,
  service: 'business',
  ...questionPolicy,
  timeoutMs: TIMEOUT_MS,
  classify: handshakeVerdict,
};
