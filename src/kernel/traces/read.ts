import type { Walk } from '../odata/index.ts';
import type { Collection, Store } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { PlacedTrace, TracePage, TracePlace } from './types.ts';

const PAGES_AT_ONCE = 200;

/** All stored traces, newest first; the key of an item is the id of its trace. */
export function newestTraces<Trace>(store: Store, pages: Collection<TracePage<Trace>>): Walk<PlacedTrace<Trace>> {
  return async function* walk(after) {
    const place = after === undefined ? undefined : placeOf(after);
    // The rest of the page on which the previous list page ended.
    const first = place && (await store.get(pages, place[0]));
    if (first && place) yield* tracesOf(first.key, first.value, place[1] - 1);
    const older = {
      order: [{ field: 'key', descending: true }],
      page: PAGES_AT_ONCE,
      ...(place && { after: [place[0]] }),
    };
    for await (const page of pagesOf(store, pages, older)) {
      for (const { key, value } of page) yield* tracesOf(key, value, value.traces.length - 1);
    }
  };
}

function* tracesOf<Trace>(page: string, { traces }: TracePage<Trace>, from: number) {
  for (let at = from; at >= 0; at--) {
    const trace = traces[at];
    const place: TracePlace = [page, at];
    if (trace) yield { key: traceId(place), value: { place, trace } };
  }
}

export const traceId = ([page, at]: TracePlace): string => `${page}.${at}`;

/** Finds a trace by an id from `traceId`; returns undefined if the id is invalid or the trace is no longer stored. */
export async function traceById<Trace>(
  store: Store,
  pages: Collection<TracePage<Trace>>,
  id: string,
): Promise<PlacedTrace<Trace> | undefined> {
  const place = placeOf(id);
  const trace = place && (await store.get(pages, place[0]))?.value.traces[place[1]];
  return place && trace && { place, trace };
}

function placeOf(id: string): TracePlace | undefined {
  const [, page, at] = /^(\w+)\.(\d{1,9})$/.exec(id) ?? [];
  return page === undefined ? undefined : [page, Number(at)];
}
