import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import type { DeadLetterMessage, ResourceMessage } from '../destinations/messages.ts';
import { sendToResource, writeDeadLetter } from '../destinations/send.ts';
import { HANDSHAKE_POLICIES } from '../handshake/policy.ts';
import type { EventsJar } from '../jar.ts';
import { batchRules } from './batches.ts';
import { resourceMessage, webHookMessage } from './compose.ts';
import { deadLetterMessage } from './dead-letters.ts';
import { DEFAULT_ATTEMPTS, DEFAULT_TTL_MINUTES } from './defaults.ts';
import { eventsEnded } from './endings.ts';
import { PROBATION_MS, resourceVerdict, webHookVerdict } from './outcomes.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first failure, the second and so on; then every 12 hours until the time to live is over. */
const SCHEDULE = [
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
];

/** Concurrent messages to one subscription's endpoint. */
const MESSAGES_AT_ONCE = 64;

/** The real service writes dead letters about five minutes after the last attempt, and retries for four hours. */
const DEAD_LETTER_AFTER_MS = 5 * MINUTE;
const DEAD_LETTER_TTL_MS = 4 * HOUR;
const DEAD_LETTERS_PER_BLOB = 100;
const DEAD_LETTER_BLOB_BYTES = 4 * 1024 * 1024;

const COMMON = {
  service: 'events',
  schedule: SCHEDULE,
  jitter: 0.05,
  maxAttempts: DEFAULT_ATTEMPTS,
  timeToLiveMs: DEFAULT_TTL_MINUTES * MINUTE,
  timeoutMs: 30 * SECOND,
  concurrency: MESSAGES_AT_ONCE,
  // After ten consecutive failures nothing is sent to an endpoint for a while, new events included.
  circuit: {
    afterFailures: 10,
    probationMs: [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR],
    byOutcome: PROBATION_MS,
  },
} satisfies Partial<DeliveryPolicy>;

/** Events to a web hook address. */
export const WEB_HOOK: DeliveryPolicy<EventsJar> = {
  ...COMMON,
  name: 'events.webhook',
  ended: (tx, deliveries, end, jar) => eventsEnded(tx, deliveries, end, jar, 'events.webhook'),
  classify: webHookVerdict,
  batch: batchRules,
  compose: webHookMessage,
};

/** Events to a destination named by a resource id: queues, hubs, functions, hybrid connections. */
export const RESOURCE: DeliveryPolicy<EventsJar> = {
  ...COMMON,
  name: 'events.resource',
  ended: (tx, deliveries, end, jar) => eventsEnded(tx, deliveries, end, jar, 'events.resource'),
  classify: resourceVerdict,
  batch: batchRules,
  compose: resourceMessage,
  send: (message, jar, signal) => sendToResource(message as ResourceMessage, jar, signal),
};

/** Undeliverable events to the dead-letter destination of their subscription. */
const DEAD_LETTER: DeliveryPolicy<EventsJar> = {
  name: 'events.dead-letter',
  service: 'events',
  schedule: [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  timeToLiveMs: DEAD_LETTER_AFTER_MS + DEAD_LETTER_TTL_MS,
  classify: ({ outcome }) => ({ is: outcome === 'Succeeded' ? 'delivered' : 'retry' }),
  batch: { maxItems: DEAD_LETTERS_PER_BLOB, maxBytes: DEAD_LETTER_BLOB_BYTES, windowMs: DEAD_LETTER_AFTER_MS },
  compose: deadLetterMessage,
  send: (message, jar, signal) => writeDeadLetter(message as DeadLetterMessage, jar, signal),
};

export const EVENT_POLICIES: readonly DeliveryPolicy<EventsJar>[] = [
  WEB_HOOK,
  RESOURCE,
  DEAD_LETTER,
  ...HANDSHAKE_POLICIES,
];
