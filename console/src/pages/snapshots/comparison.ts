import { useRef, useState } from 'react';
import { readControlPage, withQuery } from '../../shared/list/pages.ts';
import { type Rows, useRows } from '../../shared/list/use-rows.ts';
import type { Collected, Comparison, Difference } from './api.ts';
import { SNAPSHOT_SIGNALS } from './api.ts';

/** A difference with its place among those of the same collection and key: keys that are secrets are all shown as `[redacted]`. */
export type DifferenceRow = Difference & { readonly place: number };

export const keyOf = ({ collection, key, place }: DifferenceRow): string =>
  place === 0 ? `${collection} ${key}` : `${collection} ${key} ${place}`;

interface Sides {
  readonly from: string;
  /** Empty for now. */
  readonly to: string;
  /** Empty for all. */
  readonly collection: string;
}

interface Compared {
  readonly rows: Rows<DifferenceRow> & { readonly listKey: string };
  /** The counts of all collections; undefined before the first answer. */
  readonly collections: readonly Collected[] | undefined;
}

const PAGE_SIZE = 200;

/** The differences, page by page. The counts are in every page and cover everything; those of all collections are kept for the choice. */
export function useComparison({ from, to, collection }: Sides): Compared {
  const [collections, setCollections] = useState<readonly Collected[]>();
  const places = useRef(new Map<string, number>());
  const first = withQuery('/_jar/snapshots/compare', { from, to, collection, $top: PAGE_SIZE });
  const rows = useRows<DifferenceRow>({
    listKey: first,
    async read(link, signal) {
      const page = (await readControlPage<Difference>(link ?? first, signal)) as Comparison;
      if (link === undefined) {
        places.current = new Map();
        if (collection === '') setCollections(page.collections);
      }
      const value = page.value.map((each) => {
        const name = `${each.collection} ${each.key}`;
        const place = places.current.get(name) ?? 0;
        places.current.set(name, place + 1);
        return { ...each, place };
      });
      return { value, ...(page.nextLink !== undefined && { nextLink: page.nextLink }) };
    },
    keyOf,
    on: SNAPSHOT_SIGNALS,
    follow: true,
  });
  return { rows: { ...rows, listKey: first }, collections };
}
