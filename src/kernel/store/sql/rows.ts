import { readDocument } from '../document.ts';
import type { Page, Query, Stored } from '../types.ts';
import type { Layout } from './layout.ts';
import { positionOf } from './page.ts';

/** A row selected by `pageStatement`. */
export type PageRow = [part: number, key: string, etag: string, body: string];

export function toPage<T>(layout: Layout<T>, query: Query, rows: readonly PageRow[]): Page<T> {
  // No engine guarantees the order of a union's parts; each part follows its own ORDER BY.
  const ordered = rows.length > 0 && rows[0]![0] === rows.at(-1)![0] ? rows : rows.toSorted((a, b) => a[0] - b[0]);
  const items: Stored<T>[] = [];
  for (const [, key, etag, body] of ordered) {
    if (items.length >= query.limit) break;
    items.push({ key, etag, value: readDocument(layout.collection, key, etag, body) });
  }
  const last = items.at(-1);
  if (!last || rows.length <= items.length) return { items };
  return { items, next: positionOf(layout, query, last.key, last.value) };
}
