import {
  applySelect,
  checkSelect,
  compileFilter,
  type EntityShape,
  Evaluator,
  parseSelect,
} from '../../../kernel/odata/index.ts';
import type { NeedName } from '../access/scopes.ts';
import type { Viewer } from '../api/request.ts';
import { eventShape, rewriteFilter } from '../calendar/shape.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { eventView } from '../calendar/view.ts';
import { castFilter } from '../messages/cast-filter.ts';
import { messageShape } from '../messages/shape.ts';
import type { Message } from '../messages/types.ts';
import { messageView } from '../messages/view.ts';

type View = Record<string, unknown>;
type CompiledFilter = ReturnType<typeof compileFilter>;

/** What differs between the kinds of items that can be subscribed to. */
export interface ItemKind<T> {
  readonly needs: NeedName;
  /** In resource paths: `Users/{id}/Messages/{id}`. */
  readonly collection: string;
  /** Without resource data types begin with capitals: `#Microsoft.Graph.Message`. */
  readonly type: string;
  /** Throws `ODataError` for a filter that cannot be. */
  readFilter(filter: string, now: number): (document: T) => boolean;
  /** The names that are selected. Throws `ODataError` for what no item has. */
  readSelect(select: string): readonly string[];
  /** What is selected of an item. */
  view(viewer: Viewer, document: T, select: string): View;
}

function itemKind<T>(
  kind: Pick<ItemKind<T>, 'needs' | 'collection' | 'type'>,
  shape: EntityShape<T>,
  view: (viewer: Viewer, document: T) => View,
  compile: (filter: string, now: number) => CompiledFilter,
): ItemKind<T> {
  return {
    ...kind,
    readFilter(filter, now) {
      const { predicate } = compile(filter, now);
      return (document) => new Evaluator(shape.collection).matches(predicate, document);
    },
    readSelect(select) {
      const items = parseSelect(select);
      checkSelect(shape, items, '$select', select);
      return items.map(({ segments }) => segments[0] ?? '');
    },
    view: (viewer, document, select) => ({ ...applySelect(view(viewer, document), parseSelect(select), ['id']) }),
  };
}

export const ITEMS = {
  message: itemKind<Message>(
    { needs: 'subscribeMessages', collection: 'Messages', type: 'Message' },
    messageShape,
    messageView,
    (filter, now) => compileFilter(messageShape, castFilter(filter), now),
  ),
  event: itemKind<CalendarEvent>(
    { needs: 'subscribeEvents', collection: 'Events', type: 'Event' },
    eventShape,
    (viewer, document) => eventView(viewer, document),
    (filter, now) => compileFilter(eventShape, filter, now, rewriteFilter),
  ),
};
