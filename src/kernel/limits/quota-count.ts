import { collection } from '../store/collection.ts';
import type { QuotaWindow } from './quota-window.ts';
import { scopeKey } from './scope.ts';
import type { QuotaLimit } from './table.ts';

/**
 * The count of a limit in one scope, together with the count of the limit that is `keptWith` it. Kept small, because almost every create
 * reads and writes such a document.
 */
export interface QuotaCount {
  /** The count of the limit without a window. */
  readonly used?: number | undefined;
  /** The count of the limit with a window. */
  readonly window?: QuotaWindow | undefined;
}

/** One document per limit and scope with a count above zero. It has no fields, because every count would have to update their indexes. */
export const quotaCounts = collection<QuotaCount>('kernel.quotas');

const SEPARATOR = '?';
/** The character that follows the separator. */
const AFTER_SEPARATOR = '@';

/** The name of the limit whose documents hold this limit's count. */
export const documentOf = ({ name, keptWith }: QuotaLimit): string => keptWith ?? name;

/** The key prefix of all counts of a limit. */
export const countPrefix = (limit: QuotaLimit): string => `${documentOf(limit)}${SEPARATOR}`;

/** Comes after all counts in the documents of a limit, and before those of the next limit. */
export const keyAfter = (document: string): string => `${document}${AFTER_SEPARATOR}`;

export const countKey = (limit: QuotaLimit, scope: readonly string[]): string =>
  `${countPrefix(limit)}${scopeKey(scope)}`;

/** Splits a key into the name of the limit and the text of the scope. */
export function readCountKey(key: string): { limit: string; scope: string } {
  const end = key.indexOf(SEPARATOR);
  return { limit: key.slice(0, end), scope: key.slice(end + 1) };
}
