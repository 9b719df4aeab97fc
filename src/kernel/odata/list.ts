import type { Vault } from '../auth/vault.ts';
import { decodeSkipToken, encodeSkipToken } from '../http/paging.ts';
import type { Filter, Order, Page, Position, Query, Reader, Stored } from '../store/types.ts';
import type { Node } from './ast.ts';
import type { Predicate } from './bound.ts';
import { type CompiledFilter, compileFilter, compileOrder } from './compile.ts';
import { ODataError } from './errors.ts';
import type { QueryOptions } from './query.ts';
import { countMatches, scanPage } from './scan.ts';
import type { EntityShape } from './shape.ts';

/** As many as `$skip` leaves out: they are read and thrown away. */
export const MOST_SKIPPED = 100_000;

export interface PageRules {
  /** Documents on a page when nobody asks for fewer or more. */
  readonly size: number;
  /** The most that anybody gets on one page. */
  readonly most: number;
  /**
   * `total`: `$top` is how many there are on all pages together. `page`: it is the size of the pages, and the list goes on, as in
   * the management API and in mail.
   */
  readonly top: 'total' | 'page';
}

export interface ListRequest<T> {
  readonly store: Reader;
  readonly vault: Vault;
  readonly now: number;
  readonly shape: EntityShape<T>;
  readonly options: QueryOptions;
  /** Names the list: a skip token is good for this and no other. */
  readonly list: string;
  readonly rules: PageRules;
  /** What the list is of, whatever the client asks for. */
  readonly prefix?: string;
  readonly filter?: Filter;
  /** When the client names none. */
  readonly order?: readonly Order[];
  /** Puts other words in the place of those that a client wrote, where the list has names that no document has. */
  readonly rewrite?: (node: Node, source: string) => Node;
  /** What memory looks at, where items show more than their documents have: the document with properties that come from its key or from others. */
  readonly seen?: (item: Stored<T>) => T | Promise<T>;
  /** From `Prefer`. */
  readonly preferredSize?: number;
  /** How a skip token says where a page ended; sealed, unless the API has a form of its own that clients know. */
  readonly tokens?: SkipTokens;
}

export interface SkipTokens {
  write(progress: Progress): string;
  /** `order` is what the list is ordered by; the key comes behind it. */
  read(token: string, order: readonly Order[]): Progress | Promise<Progress>;
}

export interface ListPage<T> {
  readonly items: readonly Stored<T>[];
  /** All that match, on every page; when asked for. */
  readonly count?: number;
  /** Present when there is, or may be, more. */
  readonly skipToken?: string;
  /** What the token stands for. */
  readonly next?: Progress;
}

/** Where the next page goes on. */
export interface Progress {
  readonly after?: Position;
  /** How many more `$top` allows. */
  readonly remaining?: number;
  /** How many more `$skip` leaves out. */
  readonly skip?: number;
}

/** One page of a list, as its query options ask for it. The same for every service. */
export async function readList<T>(request: ListRequest<T>): Promise<ListPage<T>> {
  const { options, shape, store, prefix } = request;
  const compiled =
    options.filter === undefined ? undefined : compileFilter(shape, options.filter, request.now, request.rewrite);
  const order = options.orderBy === undefined ? (request.order ?? []) : compileOrder(shape, options.orderBy);
  const tokens = request.tokens ?? sealedTokens(request);
  const begun = await readProgress(request, tokens, order);
  const limit = Math.min(pageSize(request), begun.remaining ?? Number.POSITIVE_INFINITY);
  const filter = joined(request.filter, compiled?.filter);
  const count =
    options.count === true ? await countMatches(store, shape, { prefix, filter }, compiled?.residual) : undefined;
  if (limit === 0) return { items: [], count };
  const { items, next } = await readPage(request, { prefix, filter, order }, compiled, begun, limit);
  const remaining = begun.remaining === undefined ? undefined : begun.remaining - items.length;
  if (!next || remaining === 0) return { items, count };
  const { skip, after } = next;
  const progress = { after, remaining, skip };
  return { items, count, skipToken: tokens.write(progress), next: progress };
}

type Base = Pick<Query, 'prefix' | 'filter' | 'order'>;

async function readPage<T>(
  { store, shape, seen }: ListRequest<T>,
  base: Base,
  compiled: CompiledFilter | undefined,
  { after, skip }: Progress,
  limit: number,
): Promise<{ items: readonly Stored<T>[]; next?: Progress }> {
  const residual: Predicate | undefined = compiled?.residual;
  if (residual) return scanPage(store, shape, base, residual, { after, skip }, limit, seen);
  const page: Page<T> = await store.query(shape.collection, { ...base, after, skip, limit });
  return page.next ? { items: page.items, next: { after: page.next } } : { items: page.items };
}

export function joined(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const args = filters.filter((filter) => filter !== undefined);
  return args.length <= 1 ? args[0] : { op: 'and', args };
}

/** A token of a list is of no use with another filter, order or selection. */
export function sealedTokens({
  list,
  options,
  vault,
}: Pick<ListRequest<never>, 'list' | 'options' | 'vault'>): SkipTokens {
  const { filter, orderBy, select, expand, search, skip } = options;
  const identity = JSON.stringify([list, filter, orderBy, select, expand, search, skip]);
  return {
    write: (progress) => encodeSkipToken(vault, identity, progress),
    read(token) {
      const progress = decodeSkipToken<Progress>(vault, identity, token);
      if (progress !== undefined) return progress;
      throw new ODataError('InvalidToken', '$skiptoken', "the '$skiptoken' was not made here, or not for this list");
    },
  };
}

async function readProgress(
  { options, rules }: Pick<ListRequest<never>, 'options' | 'rules'>,
  tokens: SkipTokens,
  order: readonly Order[],
): Promise<Progress> {
  const { skipToken, skip = 0 } = options;
  if (skip > MOST_SKIPPED)
    throw new ODataError('InvalidValue', '$skip', `'$skip' may leave out at most ${MOST_SKIPPED}`);
  if (skipToken === undefined) return { skip, ...(rules.top === 'total' && { remaining: options.top }) };
  return tokens.read(skipToken, order);
}

function pageSize({
  options,
  rules,
  preferredSize,
}: Pick<ListRequest<never>, 'options' | 'rules' | 'preferredSize'>): number {
  const asked = rules.top === 'page' ? (options.top ?? preferredSize) : preferredSize;
  return Math.min(asked ?? rules.size, rules.most);
}
