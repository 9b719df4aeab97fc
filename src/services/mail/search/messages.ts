import type { Answer } from '../../../kernel/http/index.ts';
import { type ODataSet, odataPage } from '../../../kernel/odata/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { listing, optionsOf, PAGE } from '../api/show.ts';
import { errors } from '../errors.ts';
import { LAST_SENT_FIRST } from '../messages/order.ts';
import type { Message } from '../messages/types.ts';
import { mistake, searchFilter } from './filter.ts';
import { readSearch, type Search, SearchMistake } from './kql.ts';

/** Maximum number of results of a search, on all pages together. */
const MOST_FOUND = 1000;

/** Runs `$search` over messages; results are ordered by the day of sending, newest first. */
export async function searchMessages(call: MailCall, set: ODataSet<Message>): Promise<Answer> {
  const { search = '', filter, orderBy, skip, count, top = call.prefer.pageSize ?? PAGE.size } = optionsOf(call);
  if (call.isBasic) throw errors.ErrorAccessDenied();
  if (orderBy !== undefined) throw errors.SearchWithOrderBy();
  if (filter !== undefined) throw errors.SearchWithFilter();
  if (skip !== undefined) throw errors.SearchWithSkip();
  if (count) throw errors.SearchWithCount();
  const { mailbox, jar } = call;
  const asked = searchFilter(parsed(search), {
    mailbox: mailbox.id,
    now: jar.clock.now(),
    zone: mailbox.settings.zone,
  });
  const found: ODataSet<Message> = {
    ...set,
    filter: both(set.filter, asked),
    order: LAST_SENT_FIRST,
  };
  const asking = listing(call);
  // `MOST_FOUND` limits the whole list; the client's `$top` becomes the page size.
  const query = { ...without(asking.query, '$top'), $top: String(MOST_FOUND) };
  const headers = { ...asking.headers, prefer: `odata.maxpagesize=${Math.min(top, PAGE.most)}` };
  const answer = await odataPage({ ...asking, query, headers }, found, { ...PAGE, top: 'total' });
  return { ...answer, headers: {} };
}

function parsed(search: string): Search {
  try {
    return readSearch(search);
  } catch (error) {
    if (error instanceof SearchMistake) throw mistake(error.message);
    throw error;
  }
}

const both = (where: Filter | undefined, asked: Filter): Filter =>
  where ? { op: 'and', args: [where, asked] } : asked;

const without = (query: Readonly<Record<string, unknown>>, option: string) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name.toLowerCase().replace(/^\$?/, '$') !== option));
