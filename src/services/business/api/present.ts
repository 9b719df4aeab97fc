import {
  applySelect,
  checkSelect,
  expandInto,
  parseExpand,
  parseSelect,
  type QueryOptions,
} from '../../../kernel/odata/index.ts';
import type { Stored } from '../../../kernel/store/index.ts';
import type { BusinessRecord } from '../records/collection.ts';
import { Navigations } from './navigations.ts';
import type { Session } from './session.ts';
import { shapeOf } from './shape.ts';
import type { Place } from './target.ts';
import type { View } from './view.ts';

/** Reads `$select` and `$expand`, so that mistakes in them are found before any query; returns a function that shows records. */
export function presenter(session: Session, { page, table, company }: Place, { select, expand }: QueryOptions) {
  const shape = shapeOf(page, table);
  const selected = select === undefined ? undefined : parseSelect(select);
  const expanded = expand === undefined ? [] : parseExpand(expand);
  if (selected && select !== undefined) checkSelect(shape, selected, '$select', select);
  const navigations = new Navigations(session);
  return async (items: readonly Stored<BusinessRecord>[]): Promise<readonly Readonly<View>[]> => {
    await navigations.prepare(page, table, items, company);
    const views = items.map(({ value }) => navigations.view(page, table, value));
    if (expanded.length > 0) {
      const documents = items.map(({ value }) => value);
      const context = { source: expand ?? '', now: session.now };
      await expandInto(context, documents, views, expanded, navigations.of(page, table));
    }
    if (!selected) return views;
    // An expanded navigation is shown whether it is selected or not.
    const shown = [...selected, ...expanded.map(({ segments, at }) => ({ segments: segments.slice(-1), at }))];
    return views.map((view) => applySelect(view, shown));
  };
}
