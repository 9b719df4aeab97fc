import { type Answer, ok } from '../../../kernel/http/index.ts';
import {
  compileFilter,
  compileOrder,
  contextOf,
  Evaluator,
  presenter,
  readQueryOptions,
  refusing,
} from '../../../kernel/odata/index.ts';
import { columnValue, compareScalars, type Scalar } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, PAGE, skipLink } from '../api/show.ts';
import { errors } from '../errors.ts';
import { eventNavigations } from './navigations.ts';
import { eventShape, rewriteFilter } from './shape.ts';
import type { CalendarEvent } from './types.ts';
import { eventView } from './view.ts';

/** One page of computed (not stored) events, with the query options applied. */
export function listedAnswer(call: MailCall, name: string, all: readonly CalendarEvent[]): Promise<Answer> {
  return refusing(async () => {
    const options = readQueryOptions(call.query);
    const { select, filter, orderBy, skip = 0, top = call.prefer.pageSize ?? PAGE.size } = options;
    if (options.search !== undefined) throw errors.SearchEvents(undefined, { target: '$search' });
    if (top > PAGE.most) {
      const reason = `The limit of '${PAGE.most}' for Top query has been exceeded. The value from the incoming request is '${top}'.`;
      throw errors.ErrorInvalidUrlQuery({ reason }, { target: '$top' });
    }
    const set = {
      shape: eventShape,
      view: ({ value }: { readonly value: CalendarEvent }) => eventView(call, value),
      navigations: eventNavigations(call),
      always: ['id'],
    };
    const show = presenter(call, set, options);
    const found = filter === undefined ? all : matching(all, filter, call.receivedAt);
    const ordered = orderBy === undefined ? found : sorted(found, orderBy);
    const page = ordered.slice(skip, skip + top);
    const value = await show(page.map((event) => ({ key: '', etag: '', value: event })));
    return ok({
      '@odata.context': contextOf(baseOf(call), contextName(call, name), select),
      ...(options.count === true && { '@odata.count': ordered.length }),
      value,
      ...(top > 0 && ordered.length > skip + top && { '@odata.nextLink': skipLink(call, skip + top) }),
    });
  }, codeOf);
}

function matching(all: readonly CalendarEvent[], filter: string, now: number): readonly CalendarEvent[] {
  const { predicate } = compileFilter(eventShape, filter, now, rewriteFilter);
  const evaluator = new Evaluator(eventShape.collection);
  return all.filter((event) => evaluator.matches(predicate, event));
}

/** A stable sort. */
function sorted(all: readonly CalendarEvent[], orderBy: string): readonly CalendarEvent[] {
  const orders = compileOrder(eventShape, orderBy).map(({ field, descending }) => ({
    field: eventShape.collection.fields[field],
    sign: descending ? -1 : 1,
  }));
  const keyed = all.map((event) => ({
    event,
    keys: orders.map(({ field }) => (field ? columnValue(field, event) : null)),
  }));
  keyed.sort((a, b) => {
    for (const [at, { sign }] of orders.entries()) {
      const order = compareKeys(a.keys[at] ?? null, b.keys[at] ?? null);
      if (order !== 0) return order * sign;
    }
    return 0;
  });
  return keyed.map(({ event }) => event);
}

/** Absent values sort first. */
function compareKeys(a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareScalars(a, b);
}
