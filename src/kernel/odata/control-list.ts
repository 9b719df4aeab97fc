import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { nextLink } from '../http/paging.ts';
import { type Answer, ok } from '../http/route.ts';
import { collection } from '../store/collection.ts';
import type { Position } from '../store/types.ts';
import { bindOrderValues, compileFilter } from './compile.ts';
import type { ODataError } from './errors.ts';
import { type ListRequest, readList, sealedTokens } from './list.ts';
import type { ListingCall } from './listing-call.ts';
import { parseOrderBy } from './options.ts';
import { readQueryOptions } from './query.ts';
import { refusing } from './render.ts';
import { type EntityShape, entityShape, type PropertyShape } from './shape.ts';
import { type Item, sortedPage, type Walk, type WalkedPage, walkPage, walkStore } from './walk.ts';

/**
 * The common dialect of all lists of the control API: `$filter`, `$orderby`, `$top` and `$skiptoken` in, `{value, nextLink}` out. A list
 * declares the properties of its items. The store filters and orders by properties that have fields; other properties are evaluated item by
 * item within bounds, or refused if the shape says so.
 */

/** Default and maximum page size. */
export const PAGE_RULES = { size: 100, most: 1000, top: 'page' } as const;

interface ListOptions {
  $filter?: string;
  $orderby?: string;
  $top?: number;
  $skiptoken?: string;
}

/**
 * The query parameters of a list: the common dialect, and `more` of its own. Other parameters are refused: a misspelt filter must not mean
 * "all items".
 */
export function listQuery(shape: Described): TObject<ListProperties>;
export function listQuery<More extends TProperties>(shape: Described, more: More): TObject<ListProperties & More>;
export function listQuery(shape: Described, more: TProperties = {}): TObject {
  return Type.Object({ ...dialectOf(shape), ...more }, { additionalProperties: false });
}

type Described = Pick<EntityShape<never>, 'name' | 'properties'>;
type ListProperties = ReturnType<typeof dialectOf>;

function dialectOf({ name, properties }: Described) {
  const names = pathsOf(properties);
  const filterable = names.filter(({ property }) => property.filterable !== false).map(({ path }) => path);
  const orderable = names
    .filter(({ property }) => property.filterable !== false && property.orderable !== false && !property.collection)
    .map(({ path }) => path);
  const { size, most } = PAGE_RULES;
  return {
    $filter: Type.Optional(
      Type.String({
        description: `Selects ${name} by an OData expression (eq, ne, lt, le, gt, ge, and, or, not, in, startswith, contains, …) of ${filterable.join(', ')}`,
      }),
    ),
    $orderby: Type.Optional(
      Type.String({ description: `Names of properties, each with asc or desc: ${orderable.join(', ')}` }),
    ),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Page size; default ${size}` })),
    $skiptoken: Type.Optional(
      Type.String({
        description: 'Continues after the previous page; taken from its nextLink and valid only for the same list',
      }),
    ),
  };
}

function pathsOf(
  properties: Readonly<Record<string, PropertyShape>>,
  before = '',
): { path: string; property: PropertyShape }[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const { type, collection: isMany } = property;
    const isPlain = isMany || typeof type === 'string' || !('properties' in type);
    return isPlain ? [{ path: before + name, property }] : pathsOf(type.properties, `${before}${name}/`);
  });
}

/** The response schema of a list: items, the members of `more`, and the address of the next page if there is one. */
export function listOf(view: TSchema, more: TProperties = {}): TObject {
  return Type.Object({
    value: Type.Array(view),
    ...more,
    nextLink: Type.Optional(Type.String({ description: 'The address of the next page' })),
  });
}

/** The shape of a list whose items are not documents of a collection. */
export function listShape<T>(name: string, properties: Readonly<Record<string, PropertyShape>>): EntityShape<T> {
  return entityShape({ name, collection: collection<T>('listed'), properties, scan: 'bounded' });
}

/** A list and the source of its items. */
export interface ControlList<T>
  extends Pick<ListRequest<T>, 'shape' | 'prefix' | 'filter' | 'order' | 'rewrite' | 'seen'> {
  /** For items that are not documents of the shape's collection; `prefix`, `filter`, `order` and `seen` are then ignored. */
  readonly walk?: Walk<T>;
  view(item: Item<T>): unknown;
  /** Additional members of the response, besides `value` and `nextLink`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

type ListCall = Pick<ListingCall, 'jar' | 'path' | 'url' | 'origin' | 'receivedAt'> & {
  readonly query: Static<TObject> & ListOptions;
};

/** Answers a GET of the list with the page that the query asks for. */
export function listAnswer<T>(call: ListCall, list: ControlList<T>): Promise<Answer> {
  return refusing(async () => {
    const { items, skipToken } = await readPage(call, list);
    const value = await Promise.all(items.map((item) => list.view(item)));
    return ok({ value, ...list.more, ...(skipToken !== undefined && { nextLink: nextLink(call, skipToken) }) });
  }, codeOf);
}

const codeOf = ({ code }: ODataError): string => (code === 'InvalidToken' ? 'BadSkipToken' : 'InvalidQuery');

interface ReadPage<T> {
  readonly items: readonly Item<T>[];
  readonly skipToken?: string;
}

async function readPage<T>(call: ListCall, list: ControlList<T>): Promise<ReadPage<T>> {
  const { store, vault } = call.jar;
  const options = readQueryOptions(call.query);
  const { $filter, $orderby, $top, $skiptoken, ...own } = call.query;
  // A skip token is valid only with the same additional parameters, in any order.
  const name = `${call.path} ${JSON.stringify(Object.entries(own).sort())}`;
  const request: ListRequest<T> = {
    ...list,
    store,
    vault,
    now: call.receivedAt,
    options,
    list: name,
    rules: PAGE_RULES,
  };
  const { shape } = list;
  const order =
    options.orderBy === undefined
      ? []
      : bindOrderValues(shape, parseOrderBy(options.orderBy), '$orderby', options.orderBy);
  const isStored = order.every(({ value }) => value.property.shape.field !== undefined);
  // The store can order by this, or reports what is wrong.
  if (!list.walk && (isStored || shape.scan === 'refused')) return readList(request);
  const tokens = sealedTokens(request);
  const after = options.skipToken === undefined ? undefined : (await tokens.read(options.skipToken, [])).after;
  const page = await walkedPage(request, list.walk, order, after);
  return { items: page.items, ...(page.next && { skipToken: tokens.write({ after: page.next }) }) };
}

function walkedPage<T>(
  request: ListRequest<T>,
  walk: Walk<T> | undefined,
  order: ReturnType<typeof bindOrderValues>,
  after: Position | undefined,
): Promise<WalkedPage<T>> {
  const { shape, options, now, rewrite } = request;
  const limit = options.top ?? PAGE_RULES.size;
  if (!walk) {
    const stored = walkStore(request);
    return sortedPage(stored.walk, shape, stored.residual, order, after, limit);
  }
  const predicate =
    options.filter === undefined ? undefined : compileFilter(shape, options.filter, now, rewrite).predicate;
  if (order.length === 0) return walkPage(walk, shape, predicate, after, limit);
  return sortedPage(walk, shape, predicate, order, after, limit);
}
