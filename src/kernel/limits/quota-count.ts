import { collection } from '../store/collection.ts';
import type { QuotaWindow } from './quota-window.ts';
import { scopeKey } from './scope.ts';
import type { QuotaLimit } from './table.ts';

/** The count of a limit in one scope, and that of the limit which is kept with it. Small, as one of them is read and written with almost everything that is made. */
export interface QuotaCount {
  /** Of the limit without a window. */
  readonly used?: number | undefined;
  /** Of the limit with one. */
  readonly window?: QuotaWindow | undefined;
}

/** One document per limit and scope in which there is something. Without fields: every index would be written with every count. */
export const quotaCounts = collection<QuotaCount>('kernel.quotas');

const SEPARATOR = '?';

/** The name of the limit in whose documents this one is counted. */
export const documentOf = ({ name, keptWith }: QuotaLimit): string => keptWith ?? name;

/** What the keys of all counts of a limit begin with. */
export const countPrefix = (limit: QuotaLimit): string => `${documentOf(limit)}${SEPARATOR}`;

export const countKey = (limit: QuotaLimit, scope: readonly string[]): string =>
  `${countPrefix(limit)}${scopeKey(scope)}`;

/** The name of the limit and the text of the scope. */
export function readCountKey(key: string): { limit: string; scope: string } {
  const end = key.indexOf(SEPARATOR);
  return { limit: key.slice(0, end), scope: key.slice(end + 1) };
}
