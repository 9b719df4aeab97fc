import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import { allOf, eq, type Filter, type Position, type Query } from '../../../kernel/store/index.ts';
import { likePattern } from '../engine/like.ts';
import { namesOf } from '../engine/names.ts';
import { wholeNumber } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, workspaceIn } from '../jar.ts';
import { readersFilter } from '../permissions/guard.ts';
import { type Pipeline, pipelines, sourceMark } from './collections.ts';
import { badFilter, filterWords } from './filter-words.ts';
import { identityOf } from './find.ts';
import { statusView } from './view.ts';

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** `max_results`: unlike in other lists, a value above the maximum is an error. */
export function resultsIn(query: PlatformCall['query'], usual: number, most: number): number {
  const asked = wholeNumber(query, 'max_results');
  if (asked === undefined || asked === 0) return usual;
  if (asked < 0 || asked > most) throw invalid(`The parameter 'max_results' must be between 1 and ${most}.`);
  return asked;
}

/** A text parameter; absent and empty are equivalent. A parameter that occurs several times, such as `order_by`, is refused. */
export function textIn(query: PlatformCall['query'], name: string): string {
  const sent = query[name];
  if (sent === undefined) return '';
  if (typeof sent !== 'string') throw invalid(`The parameter '${name}' must be given once.`);
  return sent;
}

/** Parses `name desc` with one of these fields; the default is `usual`. */
export function orderIn(
  sent: string,
  fields: readonly string[],
  usual: string,
): { field: string; descending: boolean } {
  const [field = '', direction = 'asc', ...more] = (sent.trim() === '' ? usual : sent.trim())
    .toLowerCase()
    .split(/\s+/);
  if (more.length > 0 || !fields.includes(field) || (direction !== 'asc' && direction !== 'desc'))
    throw invalid(`The parameter 'order_by' must be one of ${fields.join(', ')}, optionally followed by asc or desc.`);
  return { field, descending: direction === 'desc' };
}

interface Chosen {
  readonly filter?: Filter;
  /** The part of the filter that the store cannot evaluate. */
  matches?(pipeline: Pipeline): boolean;
}

/** Parses either `notebook='<path>'` or `name LIKE '%x%'`. */
function chosenBy(filter: string): Chosen {
  const words = filterWords(filter);
  if (words.length === 0) return {};
  const [field, operator, value, more] = words;
  if (more) throw badFilter(filter, 'composite filters are not supported');
  const shape = [field, operator].map((word) => word?.value.toLowerCase() ?? '').join(' ');
  if (value?.is !== 'text') throw badFilter(filter, "it must be notebook='<path>' or name LIKE '<pattern>'");
  if (shape === 'notebook =') return { filter: { op: 'has', field: 'sourceMarks', value: sourceMark(value.value) } };
  if (shape === 'name =') return { filter: eq('name', value.value) };
  if (shape !== 'name like') throw badFilter(filter, "it must be notebook='<path>' or name LIKE '<pattern>'");
  const { longest, matches } = likePattern(value.value);
  return {
    ...(longest !== '' && { filter: { op: 'contains', field: 'name', value: longest } as const }),
    matches: ({ name }) => matches(name),
  };
}

/** Batch size if pipelines that are read may be left out of the list. */
const AT_ONCE = 200;

interface Place {
  readonly filter: string;
  readonly order: string;
  readonly after: Position;
}

/** A page token carries filter and order, since requests with a token may omit them. */
export async function listPipelines(call: PlatformCall): Promise<object> {
  const { jar, query } = call;
  const size = resultsIn(query, 25, 100);
  const list = JSON.stringify(['platform.pipelines', workspaceIn(call).id]);
  const token = textIn(query, 'page_token');
  const place = token === '' ? undefined : decodeSkipToken<Place>(jar.vault, list, token);
  const said = { filter: textIn(query, 'filter'), order: textIn(query, 'order_by') };
  const isOther = (name: 'filter' | 'order'): boolean => said[name] !== '' && said[name] !== place?.[name];
  if (token !== '' && (!place || isOther('filter') || isOther('order')))
    throw invalid("The parameter 'page_token' is not a page token of this list.");
  const { filter, order } = place ?? said;
  const { filter: chosen, matches } = chosenBy(filter);
  const by = orderIn(order, ['id', 'name'], 'id asc');
  const found = await readMatching(call, {
    query: {
      filter: allOf(eq('workspace', workspaceIn(call).id), eq('deletedAt', null), readersFilter(call), chosen),
      order: [by],
    },
    size,
    ...(matches && { matches }),
    ...(place && { after: place.after }),
  });
  const people = found.items.flatMap((each) => [each.creator, identityOf(each)]);
  const names = await namesOf(jar.store, accountIn(call).id, people);
  const next = found.next && encodeSkipToken(jar.vault, list, { filter, order, after: found.next } satisfies Place);
  return {
    statuses: found.items.map((each) => statusView(each, names)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

interface Matching {
  readonly query: Pick<Query, 'filter' | 'order'>;
  readonly size: number;
  readonly after?: Position;
  matches?(pipeline: Pipeline): boolean;
}

/** Continues reading until a page is full: clients treat an empty page as the last one. */
async function readMatching(
  { jar }: PlatformCall,
  { query, size, after, matches }: Matching,
): Promise<{ readonly items: readonly Pipeline[]; readonly next?: Position }> {
  const items: Pipeline[] = [];
  const limit = matches ? AT_ONCE : size;
  for (let from = after; ; ) {
    const page = await jar.store.query(pipelines, { ...query, limit, ...(from && { after: from }) });
    for (const [index, { key, value }] of page.items.entries()) {
      if (matches && !matches(value)) continue;
      items.push(value);
      if (items.length < size) continue;
      const isLast = index === page.items.length - 1 && !page.next;
      const field = query.order?.[0]?.field === 'name' ? value.name : value.id;
      return { items, ...(!isLast && { next: [field, key] }) };
    }
    if (!page.next) return { items };
    from = page.next;
  }
}
