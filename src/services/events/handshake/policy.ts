import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import { handshakeVerdict } from './verdict.ts';

export const HANDSHAKE = 'events.handshake';
export const NOTICE = 'events.notice';

const SECOND = 1000;

type Code = typeof import('./messages.ts') & typeof import('./ended.ts');
let code: Code | undefined;

/** Loaded with the first handshake: by the time that one ends nothing has to be loaded within a transaction. */
async function loadCode(): Promise<Code> {
  code ??= { ...(await import('./messages.ts')), ...(await import('./ended.ts')) };
  return code;
}

/** Asks an endpoint whether it wants to get events; one more try five seconds after a failed one. */
const handshake: DeliveryPolicy = {
  name: HANDSHAKE,
  service: 'events',
  schedule: [5 * SECOND],
  maxAttempts: 2,
  timeoutMs: 30 * SECOND,
  keptHeaders: ['webhook-allowed-origin', 'webhook-allowed-rate'],
  classify: handshakeVerdict,
  compose: async (batch, jar) => (await loadCode()).handshakeMessage(batch, jar),
  async ended(tx, deliveries, end, jar) {
    // Whoever takes one back has no more need of its end.
    if (end.cause !== 'cancelled') await (code ?? (await loadCode())).handshakeEnded(tx, deliveries, end, jar);
    return undefined;
  },
};

/** Tells an endpoint that its subscription is gone; nobody minds much if that does not arrive. */
const notice: DeliveryPolicy = {
  name: NOTICE,
  service: 'events',
  schedule: [10 * SECOND, 30 * SECOND],
  maxAttempts: 3,
  timeoutMs: 30 * SECOND,
};

export const HANDSHAKE_POLICIES: readonly DeliveryPolicy[] = [handshake, notice];
