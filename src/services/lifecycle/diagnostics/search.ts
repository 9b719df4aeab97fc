import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { allOf, type Collection, eq, type Filter, type Reader } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { reportGroups, reports } from './collections.ts';
import { Group, ListedError } from './schemas.ts';
import { groupFilter, reportFilter } from './search-shapes.ts';
import { errorViews } from './session-logs.ts';
import { groupView } from './views.ts';

/** Searches all reports of an app by words and filters. */

const MOST_FOUND = 100;
const MOST_SKIPPED = 10_000;

const SEARCH = {
  filter: Type.Optional(Type.String()),
  q: Type.Optional(Type.String({ maxLength: 500 })),
  order: Type.Optional(Type.Enum(['desc', 'asc'])),
  $top: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_FOUND })),
  $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_SKIPPED })),
};

const GROUP_SORTS = {
  matchingReportsCount: 'count',
  exceptionClassName: 'className',
  exceptionMessage: 'message',
  exceptionMethod: 'method',
  lastOccurrence: 'last',
} as const;

const ERROR_SORTS = {
  timestamp: 'at',
  errorGroupId: 'groupId',
  exceptionClassName: 'className',
  exceptionFile: 'file',
  exceptionLine: 'line',
  exceptionMessage: 'message',
  exceptionMethod: 'method',
  deviceName: 'model',
  osVersion: 'osVersion',
  userId: 'userId',
} as const;

const sortsOf = <T extends object>(sorts: T) => Object.keys(sorts) as (keyof T & string)[];

/** Every word must occur, in any casing. */
export const containing = (q = ''): Filter[] =>
  q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((value) => ({ op: 'contains', field: 'words', value }));

interface Wanted {
  readonly filter: Filter;
  readonly field: string;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly $top?: number | undefined;
  readonly $skip?: number | undefined;
}

async function found<T>(store: Reader, from: Collection<T>, { filter, field, order, $top, $skip }: Wanted) {
  const by = [{ field, descending: order !== 'asc' }];
  const { items, next } = await store.query(from, { filter, order: by, skip: $skip ?? 0, limit: $top ?? MOST_FOUND });
  return { hasMoreResults: next !== undefined, items: items.map(({ value }) => value) };
}

export const searchGroups = routeCode([], {
  query: Type.Object({ ...SEARCH, sort: Type.Optional(Type.Enum(sortsOf(GROUP_SORTS))) }),
  responses: { 200: Type.Object({ hasMoreResults: Type.Boolean(), errorGroups: Type.Array(Group) }) },
  async handle(call) {
    const { query, jar } = call;
    const app = appOf(call);
    const asked = await groupFilter(query.filter, call.receivedAt);
    const filter = allOf(eq('appId', app.id), asked, ...containing(query.q));
    const field = GROUP_SORTS[query.sort ?? 'matchingReportsCount'];
    const { hasMoreResults, items } = await found(jar.store, reportGroups, { ...query, filter, field });
    return ok({ hasMoreResults, errorGroups: items.map((group) => groupView(group, app)) });
  },
});

export const searchErrors = routeCode([], {
  query: Type.Object({ ...SEARCH, sort: Type.Optional(Type.Enum(sortsOf(ERROR_SORTS))) }),
  responses: { 200: Type.Object({ hasMoreResults: Type.Boolean(), errors: Type.Array(ListedError) }) },
  async handle(call) {
    const { query, jar } = call;
    const asked = await reportFilter(query.filter, call.receivedAt);
    const filter = allOf(eq('appId', appOf(call).id), asked, ...containing(query.q));
    const field = ERROR_SORTS[query.sort ?? 'timestamp'];
    const { hasMoreResults, items } = await found(jar.store, reports, { ...query, filter, field });
    return ok({ hasMoreResults, errors: await errorViews(jar, items) });
  },
});
