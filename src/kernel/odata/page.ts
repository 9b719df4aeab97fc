import { type Answer, ok } from '../http/route.ts';
import type { Stored } from '../store/types.ts';
import type { ODataError } from './errors.ts';
import { expandInto, type Navigation } from './expand.ts';
import { type ListRequest, readList } from './list.ts';
import type { ListingCall } from './listing-call.ts';
import { parseExpand, parseSelect } from './options.ts';
import { preferredPageSize, type QueryOptions, readQueryOptions } from './query.ts';
import { contextOf, odataBody, refusing } from './render.ts';
import { applySelect, checkSelect } from './select.ts';

type View = Readonly<Record<string, unknown>>;

/** A set of documents that a service shows the OData way. */
export interface ODataSet<T> extends Pick<ListRequest<T>, 'shape' | 'prefix' | 'filter' | 'order' | 'rewrite'> {
  /** `customers`, `me/messages`: what follows `$metadata#` in the context. */
  readonly name: string;
  /** `https://…/api/v2.0`: what stands before it. */
  readonly base: string;
  view(stored: Stored<T>): Record<string, unknown>;
  readonly navigations?: readonly Navigation<T, unknown>[];
  /** Shown whatever is selected. */
  readonly always?: readonly string[];
  /** The code of the API's error for a mistake in a query option. */
  codeOf(error: ODataError): string;
}

/** The answer to a GET of the set: a page of it as the query options and `Prefer` ask for it. */
export function odataPage<T>(call: ListingCall, set: ODataSet<T>, rules: ListRequest<T>['rules']): Promise<Answer> {
  return refusing(async () => {
    const { store, vault } = call.jar;
    const options = readQueryOptions(call.query);
    const preferredSize = preferredPageSize(call.headers.prefer);
    const show = presenter(call, set, options);
    const list = call.path.toLowerCase();
    const page = await readList({ ...set, store, vault, now: call.receivedAt, options, list, rules, preferredSize });
    const value = await show(page.items);
    const body = odataBody(call, contextOf(set.base, set.name, options.select), { ...page, value });
    const applied = { 'preference-applied': `odata.maxpagesize=${preferredSize}` };
    return ok(body, preferredSize === undefined ? undefined : applied);
  }, set.codeOf);
}

/** The answer to a GET of one document of the set, with `$select` and `$expand`. */
export function odataEntity<T>(call: ListingCall, set: ODataSet<T>, stored: Stored<T>): Promise<Answer> {
  return refusing(async () => {
    const options = readQueryOptions(call.query);
    const [view] = await presenter(call, set, options)([stored]);
    return ok({ '@odata.context': `${contextOf(set.base, set.name, options.select)}/$entity`, ...view });
  }, set.codeOf);
}

/** Reads `$select` and `$expand`, so that mistakes in them are found before anything is looked for; gives what shows documents that way. */
export function presenter<T>(
  call: Pick<ListingCall, 'receivedAt'>,
  set: Pick<ODataSet<T>, 'shape' | 'view' | 'navigations' | 'always'>,
  { select, expand }: QueryOptions,
) {
  const selected = select === undefined ? undefined : parseSelect(select);
  const expanded = expand === undefined ? [] : parseExpand(expand);
  if (selected && select !== undefined) checkSelect(set.shape, selected, '$select', select);
  return async (items: readonly Stored<T>[]): Promise<View[]> => {
    const views = items.map((item) => set.view(item));
    const documents = items.map(({ value }) => value);
    const context = { source: expand ?? '', now: call.receivedAt };
    await expandInto(context, documents, views, expanded, set.navigations ?? []);
    if (!selected) return views;
    // What is expanded is shown, selected or not.
    const shown = [...selected, ...expanded.map(({ segments, at }) => ({ segments: segments.slice(-1), at }))];
    return views.map((view) => applySelect(view, shown, set.always));
  };
}
