import { createHash } from 'node:crypto';
import { collection, number, text } from '../store/collection.ts';
import type { EndCause, Outcome } from './policy.ts';

export type DeliveryState = 'queued' | 'delivered' | 'dead-lettered' | 'dropped' | 'cancelled';

export const DELIVERY_STATES: readonly DeliveryState[] = [
  'queued',
  'delivered',
  'dead-lettered',
  'dropped',
  'cancelled',
];

/** One recorded attempt. */
export interface Attempt {
  readonly number: number;
  /** Time of the jar's clock. */
  readonly at: number;
  /** In real time. */
  readonly ms: number;
  readonly status?: number;
  readonly outcome: Outcome;
  readonly error?: string;
  /** The beginning of the receiver's response, and headers for diagnosis. */
  readonly response?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rule that decided what happens next. */
  readonly rule: string;
  readonly nextAt?: number;
  /** The fault rule that affected the attempt. */
  readonly fault?: string;
}

export interface DeliveryRecord {
  readonly policy: string;
  readonly service: string;
  readonly destination: string;
  /** Also absent if it equals the destination, in which case `owned` is set: every byte of a record is written twice. */
  readonly owner?: string;
  readonly owned?: true;
  readonly subject?: string;
  /** For display: the URL without its query. */
  readonly address: string;
  /** The whole URL and the headers: in plain text, or encrypted if they may contain a secret; both absent if `address` is everything. */
  readonly target?: Target;
  readonly sealedTarget?: string;
  /** Absent if the body is large and stored in its own collection. */
  readonly body?: string;
  readonly bodyBytes: number;
  readonly state: DeliveryState;
  readonly createdAt: number;
  /** When the next attempt is due. */
  readonly dueAt: number;
  readonly endedAt?: number;
  readonly cause?: EndCause;
  /** Reason of the end. */
  readonly rule?: string;
  /** All attempts, and those that count towards the limit, which start at zero with a replay. */
  readonly attempts: number;
  readonly tries: number;
  readonly history: readonly Attempt[];
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
  readonly schedule?: readonly number[];
  readonly expiresAt?: number;
  readonly replays?: number;
  /** The policy has strict order: the position in the queue does not depend on the due time. */
  readonly ordered?: true;
  /** A fault moved the delivery behind its successor. */
  readonly overtaken?: true;
  /** The receiver's owner was deleted while fault rules existed; one of them may want the delivery sent anyway. */
  readonly orphaned?: true;
}

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Name of the queue of a destination. It includes the policy, so that failures of one policy do not affect another. */
export function queueOf(policy: string, destination: string): string {
  const queue = `${policy} ${destination}`;
  if (queue.length <= LONGEST_QUEUE) return queue;
  const digest = createHash('sha256').update(queue).digest('hex');
  return `${queue.slice(0, LONGEST_QUEUE - digest.length - 1).toWellFormed()} ${digest}`;
}

/** An index entry in PostgreSQL has at most 2,704 bytes. */
const LONGEST_QUEUE = 500;

/** The lane of deliveries that ended in a state; queued deliveries have one lane per queue. */
export const laneOfEnded = (state: DeliveryState): string => `ended ${state}`;
export const laneOfQueue = (queue: string): string => `queued ${shortened(queue)}`;

/**
 * Names of owners and destinations are long, and every delivery would repeat them in its index entries; a digest replaces them there.
 * Cached, because the same few names recur.
 */
export function shortened(name: string): string {
  let digest = digests.get(name);
  if (digest === undefined) {
    digest = createHash('sha256').update(name).digest('base64url').slice(0, DIGEST_DIGITS);
    if (digests.size >= MOST_DIGESTS) digests.clear();
    digests.set(name, digest);
  }
  return digest;
}

const DIGEST_DIGITS = 16;
const MOST_DIGESTS = 10_000;
const digests = new Map<string, string>();

/**
 * One index serves all frequent queries, since every index costs with each write: a lane holds what is queued for one destination by due
 * time, or what has ended in one state by order of creation. In strict order the due time is not part of the position: a delivery with an
 * earlier due time must not overtake.
 */
export const deliveries = collection<DeliveryRecord>('kernel.deliveries', {
  fields: {
    line: text(({ state, policy, destination }) =>
      state === 'queued' ? laneOfQueue(queueOf(policy, destination)) : laneOfEnded(state),
    ),
    place: number(placeOf),
    state: text((record) => record.state),
    ownerLine: text((record) => optionallyShortened(ownerOf(record))),
    service: text((record) => record.service),
    policy: text((record) => record.policy),
    destinationLine: text(({ destination }) => shortened(destination)),
    subject: text((record) => record.subject),
    outcome: text((record) => record.history.at(-1)?.outcome),
    status: number((record) => record.history.at(-1)?.status),
    createdAt: number((record) => record.createdAt),
  },
  indexes: [['line', 'place'], ['ownerLine']],
  wide: true,
  secrets: {
    what: 'secret parts of addresses and headers of deliveries',
    afterwards: 'They are removed: deliveries that are still queued or are replayed go to the URL without its query',
    remove: (record) => {
      const { sealedTarget, ...rest } = record;
      return sealedTarget === undefined ? record : rest;
    },
  },
});

const optionallyShortened = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : shortened(name);

export const ownerOf = ({ owner, owned, destination }: DeliveryRecord): string | undefined =>
  owned ? destination : owner;

export function placeOf({ state, ordered, overtaken, dueAt }: DeliveryRecord): number {
  if (state !== 'queued') return 0;
  return ordered ? (overtaken ? 1 : 0) : dueAt;
}

/** Larger bodies are stored separately, because records must be small enough to page through. */
export const INLINE_BODY_BYTES = 16 * 1024;

export const deliveryBodies = collection<{ readonly body: string }>('kernel.delivery_bodies');

/** State of a failing destination; a working destination has no document. */
export interface DestinationRecord {
  readonly policy: string;
  readonly service: string;
  readonly destination: string;
  readonly address: string;
  /** Consecutive failed messages. */
  readonly failures: number;
  readonly since: number;
  readonly lastAt: number;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly error?: string;
  /** Number of probations so far, and until when nothing is sent. */
  readonly probations: number;
  readonly until?: number;
}

export const destinations = collection<DestinationRecord>('kernel.destinations', { cached: true });

const FIRST_KEPT = 3;
const LAST_KEPT = 7;

/** Keeps the first and the last attempts. */
export function withAttempt(history: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  if (history.length === 0) return [attempt];
  const all = [...history, attempt];
  if (all.length <= FIRST_KEPT + LAST_KEPT) return all;
  return [...all.slice(0, FIRST_KEPT), ...all.slice(-LAST_KEPT)];
}
