import { expect } from 'vitest';
import { TickSchema } from '../../src/control/live/frame.ts';
import { findMistake } from '../../src/kernel/values/find-mistake.ts';
import type { Bench } from '../support/jars.ts';
import { eventsOf, type Shown } from './requests-support.ts';

export const MOST_BYTES = 32 * 1024;

/** Sums over several frames. */
export interface Sums {
  frames: number;
  count: number;
  failed: number;
  outbound: number;
  dropped: number;
  changes: number;
  byStatus: Record<string, number>;
  readonly written: Set<string>;
}

export interface OpenedLive {
  /** The next frame; every frame is checked against its schema and its bound. */
  next(): Promise<Shown>;
  /** Reads frames until the sums of all frames so far, and the last frame, are as wanted. */
  until(wanted: (sums: Sums, frame: Shown) => boolean): Promise<{ sums: Sums; frame: Shown }>;
  readonly lastId: () => string;
  close(): void;
}

export async function openLive({ jar }: Bench, seen?: string): Promise<OpenedLive> {
  const abort = new AbortController();
  const response = await fetch(`${jar.url}/_jar/live`, {
    headers: { authorization: `Bearer ${jar.adminKey}`, ...(seen !== undefined && { 'last-event-id': seen }) },
    signal: abort.signal,
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const events = eventsOf(response);
  let lastId = '';
  const sums: Sums = {
    ...{ frames: 0, count: 0, failed: 0, outbound: 0, dropped: 0, changes: 0, byStatus: {}, written: new Set() },
  };
  const next = async (): Promise<Shown> => {
    const { value } = await events.next();
    if (value === undefined) throw new Error('the stream ended');
    expect(value.event).toBe('tick');
    expect(await findMistake(TickSchema, value.data)).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(value.data))).toBeLessThan(MOST_BYTES);
    lastId = value.id;
    add(sums, value.data);
    return value.data;
  };
  return {
    next,
    async until(wanted) {
      for (;;) {
        const frame = await next();
        if (wanted(sums, frame)) return { sums, frame };
      }
    },
    lastId: () => lastId,
    close: () => abort.abort(),
  };
}

function add(sums: Sums, { requests, changes, written }: Shown): void {
  sums.frames += 1;
  for (const name of ['count', 'failed', 'outbound', 'dropped'] as const) sums[name] += requests[name];
  sums.changes += changes.count;
  for (const [family, count] of Object.entries<number>(requests.byStatus))
    sums.byStatus[family] = (sums.byStatus[family] ?? 0) + count;
  for (const prefix of written) sums.written.add(prefix);
}
