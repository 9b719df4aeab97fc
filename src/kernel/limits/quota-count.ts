import { collection } from '../store/collection.ts';
import type { Tx } from '../store/types.ts';
import { scopeKey } from './scope.ts';
import type { Slices } from './slices.ts';
import type { QuotaLimit } from './table.ts';

/** How the counts of quotas are stored. Small, as one of them is read and written with almost everything that is made. */

export interface Count {
  readonly used?: number;
  /** Instead, of a limit with a window. */
  readonly slices?: Slices;
}

/** The count of one limit in one scope, and of the limits that are kept with it. */
export interface QuotaCount extends Count {
  /** By the names of their limits, which have windows. */
  readonly others?: Readonly<Record<string, Slices>>;
}

/** One document per limit and scope in which there is something. Without fields: every index would be written with every count. */
export const quotaCounts = collection<QuotaCount>('kernel.quotas');

const SEPARATOR = '?';

/** What the keys of all counts of a limit begin with. */
export const countPrefix = ({ name, keptWith }: QuotaLimit): string => `${keptWith ?? name}${SEPARATOR}`;

export const countKey = (limit: QuotaLimit, scope: readonly string[]): string =>
  `${countPrefix(limit)}${scopeKey(scope)}`;

/** The name of the limit and the text of the scope. */
export function readCountKey(key: string): { limit: string; scope: string } {
  const end = key.indexOf(SEPARATOR);
  return { limit: key.slice(0, end), scope: key.slice(end + 1) };
}

/** The count of this limit, where anything was counted. */
export function countIn(document: QuotaCount | undefined, { name, keptWith }: QuotaLimit): Count | undefined {
  if (keptWith !== undefined) {
    const slices = document?.others?.[name];
    return slices && { slices };
  }
  return document?.used === undefined && document?.slices === undefined ? undefined : document;
}

/** The document with this count of a limit. */
export function withCount(document: QuotaCount | undefined, { name, keptWith }: QuotaLimit, count: Count): QuotaCount {
  if (keptWith !== undefined) return { ...document, others: { ...document?.others, [name]: count.slices ?? [] } };
  return document?.others ? { ...count, others: document.others } : count;
}

/** The document without the count of the limit that it is named after; nothing where no other count is kept with it. */
export const withoutCount = ({ others }: QuotaCount): QuotaCount | undefined => others && { others };

/** The document, which nobody else changes until this transaction ends. Where there is none yet, there is no row to hold, but a name. */
export async function heldCount(tx: Tx, key: string): Promise<QuotaCount | undefined> {
  const stored = await tx.get(quotaCounts, key);
  if (stored) return stored.value;
  await tx.lock(`${quotaCounts.name}:${key}`);
  return (await tx.get(quotaCounts, key))?.value;
}
