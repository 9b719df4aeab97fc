import type { DueCount, DueWork } from '../due-work.ts';

/** A kind may have several rows, which are added up. */
export type CountRow = [kind: string, count: number, firstAt: number, lastAt: number];
export type ItemRow = [id: string, kind: string, dueAt: number, payload: string, seq: number];

/** Combines the rows of both engines. The items contain at least the first `limit` of all. */
export function dueWork(counts: readonly CountRow[], items: readonly ItemRow[], limit: number): DueWork {
  const byKind = new Map<string, DueCount>();
  for (const [kind, count, firstAt, lastAt] of counts) {
    const known = byKind.get(kind) ?? { count: 0, firstAt, lastAt };
    byKind.set(kind, {
      kind,
      count: known.count + count,
      firstAt: Math.min(known.firstAt, firstAt),
      lastAt: Math.max(known.lastAt, lastAt),
    });
  }
  const first = items.toSorted((a, b) => a[2] - b[2] || a[4] - b[4]).slice(0, limit);
  return {
    counts: [...byKind.values()].sort((a, b) => a.firstAt - b.firstAt || (a.kind < b.kind ? -1 : 1)),
    items: first.map(([id, kind, dueAt, payload]) => ({ id, kind, dueAt, payload: JSON.parse(payload) })),
  };
}
