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

/** One try, as it is kept. */
export interface Attempt {
  readonly number: number;
  /** By the jar's clock. */
  readonly at: number;
  /** Of real time. */
  readonly ms: number;
  readonly status?: number;
  readonly outcome: Outcome;
  readonly error?: string;
  /** The beginning of what the receiver said, and headers that help to understand it. */
  readonly response?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which rule decided what happens next. */
  readonly rule: string;
  readonly nextAt?: number;
  /** The fault rule that had its hand in it. */
  readonly fault?: string;
}

export interface DeliveryRecord {
  readonly policy: string;
  readonly service: string;
  readonly destination: string;
  /** Absent also where it is the destination, which `owned` says: every byte of a record is written twice. */
  readonly owner?: string;
  readonly owned?: true;
  readonly subject?: string;
  /** For eyes: the address without its query. */
  readonly address: string;
  /** The whole address and the headers: as they are, or sealed where they may hold a secret; neither where the address is all. */
  readonly target?: Target;
  readonly sealedTarget?: string;
  /** Absent where it is large and so in a collection of its own. */
  readonly body?: string;
  readonly bodyBytes: number;
  readonly state: DeliveryState;
  readonly createdAt: number;
  /** When to try next. */
  readonly dueAt: number;
  readonly endedAt?: number;
  readonly cause?: EndCause;
  /** Why it ended. */
  readonly rule?: string;
  /** Attempts in all, and those that count towards the limit: since the last replay. */
  readonly attempts: number;
  readonly tries: number;
  readonly history: readonly Attempt[];
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
  readonly schedule?: readonly number[];
  readonly expiresAt?: number;
  readonly replays?: number;
  /** In a strict order: it has its place in the queue whatever its due time. */
  readonly ordered?: true;
  /** Put behind its successor by a fault. */
  readonly overtaken?: true;
  /** What it is for was deleted while there were fault rules; one of them may want it sent nevertheless. */
  readonly orphaned?: true;
}

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A destination by its policy, so that one policy's trouble with an address is not another's. */
export function queueOf(policy: string, destination: string): string {
  const queue = `${policy} ${destination}`;
  if (queue.length <= LONGEST_QUEUE) return queue;
  const digest = createHash('sha256').update(queue).digest('hex');
  return `${queue.slice(0, LONGEST_QUEUE - digest.length - 1).toWellFormed()} ${digest}`;
}

/** No index of PostgreSQL takes more than 2,704 bytes. */
const LONGEST_QUEUE = 500;

/** The lane of the deliveries that ended this way; the queued ones have a lane for each queue. */
export const laneOfEnded = (state: DeliveryState): string => `ended ${state}`;
export const laneOfQueue = (queue: string): string => `queued ${shortened(queue)}`;

/**
 * Names of owners and destinations are long, and every delivery would carry them in its indexes, too: there a digest tells them apart.
 * The same few come again and again.
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
 * One index serves all that is done often, since every index is paid for with each write: a lane holds what is queued for one destination by due
 * time, or what has ended one way in order of creation. In a strict order the due time is no part of the place: a later one
 * must not overtake.
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
    afterwards: 'They are gone: what is still queued, or is replayed, goes to the address without its query',
    remove: (record) => {
      const { sealedTarget, ...rest } = record;
      return sealedTarget === undefined ? record : rest;
    },
  },
});

const optionallyShortened = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : shortened(name);

/** Whom it is for. */
export const ownerOf = ({ owner, owned, destination }: DeliveryRecord): string | undefined =>
  owned ? destination : owner;

export function placeOf({ state, ordered, overtaken, dueAt }: DeliveryRecord): number {
  if (state !== 'queued') return 0;
  return ordered ? (overtaken ? 1 : 0) : dueAt;
}

/** Larger bodies lie beside the records, which have to be light enough to page through. */
export const INLINE_BODY_BYTES = 16 * 1024;

/** Bodies that would make the records heavy to page through. */
export const deliveryBodies = collection<{ readonly body: string }>('kernel.delivery_bodies');

/** A destination that fails; one that does not has no document. */
export interface DestinationRecord {
  readonly policy: string;
  readonly service: string;
  readonly destination: string;
  readonly address: string;
  /** Messages that failed in a row. */
  readonly failures: number;
  readonly since: number;
  readonly lastAt: number;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly error?: string;
  /** How often it was put on probation, and until when nothing is sent. */
  readonly probations: number;
  readonly until?: number;
}

export const destinations = collection<DestinationRecord>('kernel.destinations', { cached: true });

const FIRST_KEPT = 3;
const LAST_KEPT = 7;

/** The beginning and the end of a long story. */
export function withAttempt(history: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  if (history.length === 0) return [attempt];
  const all = [...history, attempt];
  if (all.length <= FIRST_KEPT + LAST_KEPT) return all;
  return [...all.slice(0, FIRST_KEPT), ...all.slice(-LAST_KEPT)];
}
