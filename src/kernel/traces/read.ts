import type { Collection, Store, Stored } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { PlacedTrace, TracePage, TracePlace } from './types.ts';

const PAGES_AT_ONCE = 200;

export interface NewestTraces<Trace> {
  readonly found: readonly PlacedTrace<Trace>[];
  /** Where to go on, if there is more. */
  readonly next: TracePlace | undefined;
}

/** Looks through what is kept from the newest on, behind `after`: there are never many. */
export async function newestTraces<Trace>(
  store: Store,
  pages: Collection<TracePage<Trace>>,
  wanted: (trace: Trace) => boolean,
  after: TracePlace | undefined,
  top: number,
): Promise<NewestTraces<Trace>> {
  // One more than asked for tells whether there is more.
  const all = await newestOf(store, pages, wanted, after, top + 1);
  const found = all.slice(0, top);
  return { found, next: all.length > top ? found.at(-1)?.place : undefined };
}

async function newestOf<Trace>(
  store: Store,
  pages: Collection<TracePage<Trace>>,
  wanted: (trace: Trace) => boolean,
  after: TracePlace | undefined,
  most: number,
): Promise<PlacedTrace<Trace>[]> {
  const found: PlacedTrace<Trace>[] = [];
  const take = ({ key, value }: Stored<TracePage<Trace>>, from: number): void => {
    for (let at = from; at >= 0 && found.length < most; at--) {
      const trace = value.traces[at];
      if (trace && wanted(trace)) found.push({ place: [key, at], trace });
    }
  };
  // The page on which the last list ended has more.
  const first = after && (await store.get(pages, after[0]));
  if (first && after) take(first, after[1] - 1);
  if (found.length >= most) return found;
  const older = {
    order: [{ field: 'key', descending: true }],
    page: PAGES_AT_ONCE,
    ...(after && { after: [after[0]] }),
  };
  for await (const page of pagesOf(store, pages, older)) {
    for (const stored of page) take(stored, stored.value.traces.length - 1);
    if (found.length >= most) break;
  }
  return found;
}

export const traceId = ([page, at]: TracePlace): string => `${page}.${at}`;

/** The trace of an id that `traceId` has made; undefined where it is none, or not kept any more. */
export async function traceById<Trace>(
  store: Store,
  pages: Collection<TracePage<Trace>>,
  id: string,
): Promise<PlacedTrace<Trace> | undefined> {
  const [, page, at] = /^(\w+)\.(\d{1,9})$/.exec(id) ?? [];
  if (page === undefined) return undefined;
  const trace = (await store.get(pages, page))?.value.traces[Number(at)];
  return trace && { place: [page, Number(at)], trace };
}
