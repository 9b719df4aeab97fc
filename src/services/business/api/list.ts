import { unescape as decoded } from 'node:querystring';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import {
  compileFilter,
  contextOf,
  type Progress,
  parseFilter,
  preferredPageSize,
  type QueryOptions,
  readList,
  readQueryOptions,
  type SkipTokens,
} from '../../../kernel/odata/index.ts';
import { columnValue, type Filter, type Stored } from '../../../kernel/store/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { type BusinessRecord, records } from '../records/collection.ts';
import { columnOf, conditions } from '../records/conditions.ts';
import { keyOf, listOf } from '../records/row.ts';
import { filterRewriter, namesIn } from './filter.ts';
import { derivedRows, scopeOf } from './find.ts';
import { usualOrder } from './order.ts';
import { presenter } from './present.ts';
import { refusingQuery } from './refuse.ts';
import type { BusinessRequest } from './request.ts';
import type { Session } from './session.ts';
import { shapeOf } from './shape.ts';
import { needsSorting, sortedPage } from './sorted.ts';
import type { Place } from './target.ts';

const MOST_ON_A_PAGE = 20_000;
const RULES = { size: MOST_ON_A_PAGE, most: MOST_ON_A_PAGE, top: 'total' } as const;

interface Found {
  readonly items: readonly Stored<BusinessRecord>[];
  readonly count?: number;
  readonly next?: Progress;
}

/** Answers a GET of a set. */
export function listRecords(session: Session, place: Place, request: BusinessRequest): Promise<Answer> {
  return refusingQuery(async () => {
    const options = readQueryOptions(request.query);
    refuseUnknownOptions(options);
    const show = presenter(session, place, options);
    const { items, count, next } = await find(session, place, request, options);
    const body = {
      '@odata.context': contextOf(session.base, place.address, options.select),
      ...(count !== undefined && { '@odata.count': count }),
      value: await show(items),
      ...(next && { '@odata.nextLink': nextLink(session, request, next) }),
    };
    const size = preferredPageSize(request.headers.prefer);
    return ok(body, size === undefined ? undefined : { 'preference-applied': `odata.maxpagesize=${size}` });
  });
}

/** Answers `/$count` with a number as text. */
export function countRecords(session: Session, place: Place, request: BusinessRequest): Promise<Answer> {
  return refusingQuery(async () => {
    const { filter } = readQueryOptions(request.query);
    const { count } = await find(session, place, request, {
      ...(filter !== undefined && { filter }),
      count: true,
      top: 0,
    });
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: String(count) };
  });
}

function refuseUnknownOptions({ search }: QueryOptions): void {
  if (search !== undefined) throw errors.BadRequest_MethodNotImplemented({ reason: "'$search' is not supported." });
}

async function find(session: Session, place: Place, request: BusinessRequest, options: QueryOptions): Promise<Found> {
  const { table, page } = place;
  const shape = shapeOf(page, table);
  const rewrite = filterRewriter(page, table, request.query.$schemaversion === '2.1');
  const preferredSize = preferredPageSize(request.headers.prefer);
  const common = {
    shape,
    options,
    rewrite,
    now: session.now,
    rules: RULES,
    ...(preferredSize !== undefined && { preferredSize }),
  };
  if (page.derived !== undefined) {
    const rows = await derivedRows(session, place);
    return sortedPage(
      common,
      rows.map(({ stored }) => stored),
    );
  }
  const { vault } = session.jar;
  const base = baseFilter(session, place, options);
  const list = place.address;
  if (needsSorting(shape, options)) {
    const unordered = {
      ...options,
      orderBy: undefined,
      top: undefined,
      skip: undefined,
      skipToken: undefined,
      count: false,
    };
    const all = await readList({
      ...common,
      store: session.reader,
      vault,
      list,
      filter: base,
      options: omitAbsent(unordered),
      preferredSize: MOST_ON_A_PAGE,
    });
    if (all.next)
      throw errors.BadRequest_MethodNotImplemented({
        reason: `'$orderby' of ${options.orderBy} needs a '$filter' that leaves at most ${MOST_ON_A_PAGE} records; it has no index.`,
      });
    return sortedPage({ ...common, options: omitAbsent({ ...options, filter: undefined }) }, all.items);
  }
  const compiled =
    options.filter === undefined ? undefined : compileFilter(shape, options.filter, session.now, rewrite);
  return readList({
    ...common,
    store: session.reader,
    vault,
    list,
    filter: base,
    order: usualOrder(joined(base, compiled?.filter)),
    tokens: rowTokens(session, place, options),
  });
}

function baseFilter(session: Session, place: Place, { filter }: QueryOptions): Filter {
  const { table, page, where } = place;
  const base = conditions(table, listOf(scopeOf(session, place), table), where);
  const usual = page.unlessFiltered;
  if (!usual || place.parent) return base;
  const shown = page.properties.find((property) => property.kind === 'field' && property.field === usual.field);
  const asked = filter !== undefined && namesIn(parseFilter(filter)).includes((shown?.name ?? '').toLowerCase());
  if (asked) return base;
  const field = columnOf(table, usual.field);
  if (field === undefined) throw new Error(`the field '${usual.field}' of '${table.name}' is in no column`);
  return { op: 'and', args: [base, { op: 'eq', field, value: usual.is }] };
}

/** A skip token is the system id of the last row sent; the next page starts after that row, wherever it is then. */
function rowTokens(session: Session, place: Place, { top, skip = 0 }: QueryOptions): SkipTokens {
  const scope = scopeOf(session, place);
  return {
    write: ({ after }) => String(after?.at(-1)).split('/').at(-1) as string,
    async read(token, order) {
      const id = token.trim().replace(/^'|'$/g, '').toLowerCase();
      const stored = await session.reader.get(records, keyOf(scope, place.table, id), 'none');
      if (!stored) throw errors.SkipTokenIsNoLongerValid();
      const fields = order.map(({ field }) => columnValue(records.fields[field]!, stored.value));
      return { after: [...fields, stored.key], skip, ...(top !== undefined && { remaining: top }) };
    },
  };
}

/** The same address with the skip token, and with what remains of `$top`. */
function nextLink(session: Session, { path, search }: BusinessRequest, { after, remaining, skip }: Progress): string {
  const dropped = new Set(['$skiptoken', 'aid', '$top', '$skip']);
  const kept = search
    .split('&')
    .filter((pair) => pair !== '' && !dropped.has(decoded(pair.split('=', 1)[0] as string).toLowerCase()));
  if (remaining !== undefined) kept.push(`$top=${remaining}`);
  if (skip) kept.push(`$skip=${skip}`);
  const token = String(after?.at(-1)).split('/').at(-1);
  return `${session.base}/${path}?${[...kept, 'aid=FIN', `$skiptoken=${token}`].join('&')}`;
}

const joined = (base: Filter, further: Filter | undefined): Filter =>
  further ? { op: 'and', args: [base, further] } : base;
