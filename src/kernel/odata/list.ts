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

/** The maximum of `$skip`: skipped documents are read and discarded. */
export const MOST_SKIPPED = 100_000;

export interface PageRules {
  /** The default page size. */
  readonly size: number;
  /** The maximum page size. */
  readonly most: number;
  /**
   * `total`: `$top` limits the number of items on all pages together. `page`: it is the page size, and the list continues, as in the
   * management API and in mail.
   */
  readonly top: 'total' | 'page';
}

export interface ListRequest<T> {
  readonly store: Reader;
  readonly vault: Vault;
  readonly now: number;
  readonly shape: EntityShape<T>;
  readonly options: QueryOptions;
  /** Identifies the list: a skip token is valid only for this list. */
  readonly list: string;
  readonly rules: PageRules;
  /** The scope of the list, independent of the client's filter. */
  readonly prefix?: string;
  readonly filter?: Filter;
  /** The order if the client names none. */
  readonly order?: readonly Order[];
  /** Rewrites a parsed filter, for lists with names that no document has. */
  readonly rewrite?: (node: Node, source: string) => Node;
  /**
   * The document for in-memory evaluation, if items show more than their documents: with properties from the key or from other documents.
   */
  readonly seen?: (item: Stored<T>) => T | Promise<T>;
  /** The page size from the header `Prefer`. */
  readonly preferredSize?: number;
  /** The format of skip tokens; sealed, unless the API has a documented format. */
  readonly tokens?: SkipTokens;
}

export interface SkipTokens {
  write(progress: Progress): string;
  /** `order` is the list's order, without the key at its end. */
  read(token: string, order: readonly Order[]): Progress | Promise<Progress>;
}

export interface ListPage<T> {
  readonly items: readonly Stored<T>[];
  /** The number of matching items on all pages; only if the client asks for it. */
  readonly count?: number;
  /** Present if there are, or may be, more items. */
  readonly skipToken?: string;
  /** The content of the token. */
  readonly next?: Progress;
}

/** The position of the next page. */
export interface Progress {
  readonly after?: Position;
  /** The rest of `$top`. */
  readonly remaining?: number;
  /** The rest of `$skip`. */
  readonly skip?: number;
}

/** Reads the page of a list that the query options ask for. All services use this function. */
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

/** A token is valid only for the same list, filter, order and selection. */
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
      throw new ODataError(
        'InvalidToken',
        '$skiptoken',
        "the '$skiptoken' is not from this server, or belongs to another list",
      );
    },
  };
}

async function readProgress(
  { options, rules }: Pick<ListRequest<never>, 'options' | 'rules'>,
  tokens: SkipTokens,
  order: readonly Order[],
): Promise<Progress> {
  const { skipToken, skip = 0 } = options;
  if (skip > MOST_SKIPPED) throw new ODataError('InvalidValue', '$skip', `'$skip' must be at most ${MOST_SKIPPED}`);
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
