import type { Footprint } from '../news.ts';
import type { CommitNews } from '../types.ts';

export const CHANNEL = 'cloudjar';
/** The server takes less than 8000 bytes. */
const LONGEST_PAYLOAD = 7000;

/** What one node tells the others; short names as the room is small. */
interface Payload {
  /** The node that sends it. */
  readonly n: string;
  readonly c?: true;
  readonly w?: true;
  /** Keys written, by cached collection; `true` where everything cached is to be forgotten. */
  readonly k?: Readonly<Record<string, readonly string[]>> | true;
}

/**
 * Goes out within the transaction, so that no node misses it. Only for writes to cached collections: the server lets
 * transactions that notify commit one at a time, which ordinary ones should not have to wait for.
 */
export function cacheNotice(node: string, footprint: Footprint): string | undefined {
  if (footprint.wiped) return JSON.stringify({ n: node, k: true } satisfies Payload);
  if (footprint.cached.size === 0) return undefined;
  const k: Record<string, readonly string[]> = {};
  for (const [name, keys] of footprint.cached) k[name] = [...keys];
  const text = JSON.stringify({ n: node, k } satisfies Payload);
  return Buffer.byteLength(text) <= LONGEST_PAYLOAD ? text : JSON.stringify({ n: node, k: true } satisfies Payload);
}

/** Goes out after the commit: a hint to look, which a node that misses it makes up for at its next look. */
export function hintNotice(node: string, hint: Pick<CommitNews, 'changes' | 'work'>): string {
  const payload: Payload = { n: node, ...(hint.changes && { c: true }), ...(hint.work && { w: true }) };
  return JSON.stringify(payload);
}

export interface Notice {
  readonly node: string;
  readonly changes: boolean;
  readonly work: boolean;
  /** `all`: forget everything cached. */
  readonly keys: ReadonlyMap<string, readonly string[]> | 'all';
}

/** Anybody with rights on the database can send to the channel; what is not understood makes the node forget everything. */
export function readNotice(text: string): Notice {
  try {
    const payload: Payload = JSON.parse(text);
    const keys = payload.k === true ? 'all' : new Map(Object.entries(payload.k ?? {}));
    return { node: payload.n, changes: payload.c === true, work: payload.w === true, keys };
  } catch {
    return { node: '', changes: true, work: true, keys: 'all' };
  }
}
