import { type Answer, nextLink, ok } from '../../../kernel/http/index.ts';
import {
  contextOf,
  preferredPageSize,
  type QueryOptions,
  readList,
  readQueryOptions,
} from '../../../kernel/odata/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import { filterRewriter } from '../api/filter.ts';
import { refusingQuery } from '../api/refuse.ts';
import type { BusinessRequest } from '../api/request.ts';
import type { Session } from '../api/session.ts';
import type { Company } from '../records/company.ts';
import { subscriptions } from './collection.ts';
import { presenter, shapeOf } from './view.ts';

const MOST_ON_A_PAGE = 20_000;
const RULES = { size: MOST_ON_A_PAGE, most: MOST_ON_A_PAGE, top: 'total' } as const;

/** `subscriptions`, or for a company `companies({id})/subscriptions`. */
export const setName = (company: Company | undefined): string =>
  company ? `companies(${company.id})/subscriptions` : 'subscriptions';

/** All live subscriptions of the tenant, or those for one company, whichever API created them. */
export function listSubscriptions(
  session: Session,
  request: BusinessRequest,
  company: Company | undefined,
): Promise<Answer> {
  return refusingQuery(async () => {
    const options = readQueryOptions(request.query);
    const show = presenter(session, options);
    const { items, count, skipToken } = await find(session, request, company, options);
    const url = `${session.base}/${request.path}?${request.search}`;
    return ok({
      '@odata.context': contextOf(session.base, setName(company), options.select),
      ...(count !== undefined && { '@odata.count': count }),
      value: items.map(show),
      ...(skipToken !== undefined && { '@odata.nextLink': nextLink({ origin: '', url }, skipToken) }),
    });
  });
}

/** Answers `/$count` with a number as text. */
export function countSubscriptions(
  session: Session,
  request: BusinessRequest,
  company: Company | undefined,
): Promise<Answer> {
  return refusingQuery(async () => {
    const { filter } = readQueryOptions(request.query);
    const options = { ...(filter !== undefined && { filter }), count: true, top: 0 };
    const { count } = await find(session, request, company, options);
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: String(count) };
  });
}

function find(session: Session, request: BusinessRequest, company: Company | undefined, options: QueryOptions) {
  const { jar, model, now, reader, tenantId } = session;
  const live: Filter = { op: 'gt', field: 'expires', value: now };
  const filter: Filter = company
    ? { op: 'and', args: [live, { op: 'eq', field: 'company', value: company.key }] }
    : live;
  const page = { properties: [] };
  return readList({
    store: reader,
    vault: jar.vault,
    now,
    shape: shapeOf(session),
    options,
    list: `${subscriptions.name} ${tenantId} ${company?.key ?? ''}`,
    rules: RULES,
    prefix: `${tenantId}/`,
    filter,
    order: [{ field: 'created' }],
    rewrite: filterRewriter(page, model.table('company'), request.query.$schemaversion === '2.1'),
    preferredSize: preferredPageSize(request.headers.prefer),
  });
}
