import { Type } from 'typebox';
import { queryValue } from '../../kernel/arm/index.ts';
import { type Answer, decodeSkipToken, encodeSkipToken, nextLink, ok } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { groupErrors } from './errors.ts';

/** Pagination of lists that are built in memory or read in key order. */

const PAGE = 100;
const MOST = 1000;

const option = (description: string) => Type.Optional(Type.String({ description }));

/** Query options of all lists. */
export const LIST_OPTIONS = Type.Object({
  $top: option(`Items per page; default ${PAGE}, at most ${MOST}`),
  $skiptoken: option('Continues after the previous page; part of its next link'),
});

/** An item with the unique key that the list is ordered by. */
export interface Keyed<T> {
  readonly key: string;
  readonly item: T;
}

interface Place {
  readonly after: string;
}

/** Requests the items after a key: one more than the page shows, to know whether there is a next page. */
export interface PageRequest {
  readonly after: string | undefined;
  readonly limit: number;
}

/** Members beside the items: before them, and after the items of the last page. */
interface Beside {
  readonly before?: Readonly<Record<string, unknown>>;
  readonly atEnd?: Readonly<Record<string, unknown>>;
}

/** A page of a list. A skip token is valid only for the same list with the same query options. */
export async function pageAnswer<T>(
  call: Call,
  read: (request: PageRequest) => Promise<readonly Keyed<T>[]> | readonly Keyed<T>[],
  view: (item: T) => unknown,
  { before, atEnd }: Beside = {},
): Promise<Answer> {
  const { vault } = call.jar;
  const list = identityOf(call);
  const size = topOf(call);
  const token = queryValue(call, '$skiptoken');
  const place = token === undefined ? undefined : decodeSkipToken<Place>(vault, list, token);
  if (token !== undefined && place === undefined) {
    const reason = "The '$skiptoken' was not issued by this jar, or not for this list.";
    throw groupErrors.BadRequest({ reason }, { target: '$skiptoken' });
  }
  const found = await read({ after: place?.after, limit: size + 1 });
  const shown = found.slice(0, size);
  const last = found.length > size ? shown.at(-1) : undefined;
  return ok({
    ...before,
    value: shown.map(({ item }) => view(item)),
    ...(!last && atEnd),
    ...(last && { nextLink: nextLink(call, encodeSkipToken(vault, list, { after: last.key } satisfies Place)) }),
  });
}

/** Selects a page from items in memory, in any order. */
export function behind<T>(items: readonly Keyed<T>[], { after, limit }: PageRequest): Keyed<T>[] {
  const left = after === undefined ? [...items] : items.filter(({ key }) => key > after);
  return left.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit);
}

/** The path with all options that decide the contents of the list. */
function identityOf(call: Call): string {
  const options = ['$filter', '$search', '$view', 'groupname', '$skip'].map((name) => queryValue(call, name) ?? '');
  return JSON.stringify([call.path.toLowerCase(), ...options]);
}

function topOf(call: Call): number {
  const top = queryValue(call, '$top');
  if (top === undefined) return PAGE;
  if (!/^\d{1,9}$/.test(top) || Number(top) < 1) {
    const reason = `The '$top' must be a whole number from 1 up; '${top.slice(0, 40)}' is not.`;
    throw groupErrors.BadRequest({ reason }, { target: '$top' });
  }
  return Math.min(Number(top), MOST);
}
