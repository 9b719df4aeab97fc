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

/** A set of documents in an OData API. */
export interface ODataSet<T> extends Pick<ListRequest<T>, 'shape' | 'prefix' | 'filter' | 'order' | 'rewrite'> {
  /** `customers`, `me/messages`: the name after `$metadata#` in the context. */
  readonly name: string;
  /** The service root before `$metadata`: `https://…/api/v2.0`. */
  readonly base: string;
  view(stored: Stored<T>): Record<string, unknown>;
  readonly navigations?: readonly Navigation<T, unknown>[];
  /** Members that are shown even if they are not selected. */
  readonly always?: readonly string[];
  /** Maps a mistake in a query option to an error code of the API. */
  codeOf(error: ODataError): string;
}

/** Answers a GET of the set: one page, according to the query options and `Prefer`. */
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

/** Answers a GET of one document of the set, with `$select` and `$expand`. */
export function odataEntity<T>(call: ListingCall, set: ODataSet<T>, stored: Stored<T>): Promise<Answer> {
  return refusing(async () => {
    const options = readQueryOptions(call.query);
    const [view] = await presenter(call, set, options)([stored]);
    return ok({ '@odata.context': `${contextOf(set.base, set.name, options.select)}/$entity`, ...view });
  }, set.codeOf);
}

/** Validates `$select` and `$expand` before any document is read; returns a function that applies them to documents. */
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
    // Expanded properties are shown, whether or not they are selected.
    const shown = [...selected, ...expanded.map(({ segments, at }) => ({ segments: segments.slice(-1), at }))];
    return views.map((view) => applySelect(view, shown, set.always));
  };
}
