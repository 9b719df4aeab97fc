import {
  checkSelect,
  compileFilter,
  type EntityShape,
  Evaluator,
  parseSelect,
  presenter,
} from '../../../kernel/odata/index.ts';
import type { NeedName } from '../access/scopes.ts';
import type { Viewer } from '../api/request.ts';
import { eventShape, rewriteFilter } from '../calendar/shape.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { eventView } from '../calendar/view.ts';
import type { ItemDocument } from '../extras/item-document.ts';
import { propertyNavigations } from '../extras/property-navigations.ts';
import { castFilter } from '../messages/cast-filter.ts';
import { messageShape } from '../messages/shape.ts';
import type { Message } from '../messages/types.ts';
import { messageView } from '../messages/view.ts';

type View = Record<string, unknown>;
type CompiledFilter = ReturnType<typeof compileFilter>;

/** The differences between the kinds of items that can be watched. */
export interface ItemKind<T> {
  readonly needs: NeedName;
  /** Name in resource paths: `Users/{id}/Messages/{id}`. */
  readonly collection: string;
  /** Without resource data, types are capitalised: `#Microsoft.Graph.Message`. */
  readonly type: string;
  /** Throws `ODataError` for an invalid filter. */
  readFilter(filter: string, now: number): (document: T) => boolean;
  /** The selected names. Throws `ODataError` for an unknown property. */
  readSelect(select: string): readonly string[];
  /** Throws for an invalid expansion: only extended properties can be expanded, by their ids. */
  checkExpand(viewer: Pick<Viewer, 'isBasic'>, expand: string, now: number): Promise<void>;
  /** The selected and expanded properties of an item. */
  view(viewer: Viewer, document: T, options: Shown, now: number): Promise<View>;
}

export interface Shown {
  readonly select: string;
  readonly expand?: string;
}

function itemKind<T extends ItemDocument>(
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
    async checkExpand({ isBasic }, expand, receivedAt) {
      const set = { shape, view: () => ({}), navigations: propertyNavigations({ isBasic }) };
      await presenter<T>({ receivedAt }, set, { expand })([]);
    },
    async view(viewer, document, options, receivedAt) {
      const set = {
        shape,
        view: ({ value }: { readonly value: T }) => view(viewer, value),
        navigations: propertyNavigations(viewer),
        always: ['id'],
      };
      const [shown] = await presenter<T>({ receivedAt }, set, { ...options })([{ key: '', etag: '', value: document }]);
      return shown ?? {};
    },
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
