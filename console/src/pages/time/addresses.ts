import { addressOf } from '../../shared/address.ts';
import { literal } from '../../shared/list/filter.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type WorkItem = RowOf<'/_jar/work'>;

/** The segment of the list of due work: `/time/work`. */
export const WORK = 'work';

/** The search parameter that keeps how far the clock shall be advanced: a duration, a time, or `next`. */
export const TARGET_PARAM = 'advance';
export const NEXT = 'next';

export const workAddress = (id: string): string => addressOf('time', WORK, id);

/** Prefixes of kinds that are not the path of a page. */
const PAGES: Readonly<Record<string, string>> = {
  arm: 'resources',
  'management-groups': 'resources',
  subscriptions: 'resources',
  notices: 'mail',
};
const OWN_PAGE = new Set([
  'business',
  'containers',
  'datasets',
  'datashare',
  'events',
  'identity',
  'lifecycle',
  'mail',
  'platform',
  'resources',
]);

/** The page that shows what work of a kind has done; work of the jar itself has none. */
export function effectAddress({ kind, subject }: Pick<WorkItem, 'kind' | 'subject'>): string | undefined {
  const [prefix = ''] = kind.split('.');
  if (prefix === 'deliveries') {
    const filter = subject === undefined ? '' : `?${query('filter', `destination eq ${literal(subject)}`)}`;
    return addressOf('deliveries') + filter;
  }
  if (OWN_PAGE.has(prefix)) return addressOf(prefix);
  const page = PAGES[prefix];
  return page === undefined ? undefined : addressOf(page);
}

/** Requests and deliveries of a period of the jar's clock. */
export const requestsAddress = (from: string, to: string): string =>
  `${addressOf('requests')}?${query('filter', `at ge ${from} and at le ${to}`)}`;

const query = (name: string, value: string): string => new URLSearchParams({ [name]: value }).toString();
