import type { TransactionEffects } from '../commit-notifier.ts';
import type { CommitNotice } from '../types.ts';

export const CHANNEL = 'cloudjar';
/** The server's limit is below 8000 bytes. */
const LONGEST_PAYLOAD = 7000;

/** The content of a notice to other nodes. Member names are short because payloads are limited. */
interface Payload {
  /** The node that sends it. */
  readonly n: string;
  readonly c?: true;
  readonly w?: true;
  /** Keys written, per cached collection; `true` clears all caches. */
  readonly k?: Readonly<Record<string, readonly string[]>> | true;
}

/**
 * Sent within the transaction, so that no node misses it. Only for writes to cached collections: the server serialises the commits of
 * transactions that notify, and ordinary transactions should not have to wait for that.
 */
export function cacheNotice(node: string, effects: TransactionEffects): string | undefined {
  if (effects.wiped) return JSON.stringify({ n: node, k: true } satisfies Payload);
  if (effects.cached.size === 0) return undefined;
  const k: Record<string, readonly string[]> = {};
  for (const [name, keys] of effects.cached) k[name] = [...keys];
  const text = JSON.stringify({ n: node, k } satisfies Payload);
  return Buffer.byteLength(text) <= LONGEST_PAYLOAD ? text : JSON.stringify({ n: node, k: true } satisfies Payload);
}

/** Sent after the commit: a hint to poll. A node that misses it catches up at its next poll. */
export function hintNotice(node: string, hint: Pick<CommitNotice, 'changes' | 'work'>): string {
  const payload: Payload = { n: node, ...(hint.changes && { c: true }), ...(hint.work && { w: true }) };
  return JSON.stringify(payload);
}

export interface Notice {
  readonly node: string;
  readonly changes: boolean;
  readonly work: boolean;
  /** `all`: clear all caches. */
  readonly keys: ReadonlyMap<string, readonly string[]> | 'all';
}

/** Anyone with rights on the database can send to the channel; a payload that cannot be parsed makes the node clear its caches. */
export function readNotice(text: string): Notice {
  try {
    const payload: Payload = JSON.parse(text);
    const keys = payload.k === true ? 'all' : new Map(Object.entries(payload.k ?? {}));
    return { node: payload.n, changes: payload.c === true, work: payload.w === true, keys };
  } catch {
    return { node: '', changes: true, work: true, keys: 'all' };
  }
}
