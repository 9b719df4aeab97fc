import { collection } from '../store/collection.ts';
import type { Tx } from '../store/types.ts';
import { scopeKey } from './scope.ts';
import type { QuotaLimit } from './table.ts';

/** How the counts of quotas are stored. */

export interface Count {
  readonly used: number;
  /** Of a limit with a window: how many were made from each of these times on, for the length of a slice. */
  readonly slices?: readonly Slice[];
}

export type Slice = readonly [from: number, count: number];

/** The count of one limit in one scope, and of the limits that are kept with it. */
export interface QuotaCount extends Partial<Count> {
  readonly limit: string;
  readonly scope: string;
  /** By the names of their limits. */
  readonly others?: Readonly<Record<string, Count>>;
}

/** One document per limit and scope in which there is something. Without fields: every index would be written with every count. */
export const quotaCounts = collection<QuotaCount>('kernel.quotas');

export const countKey = ({ name, keptWith }: QuotaLimit, scope: readonly string[]): string =>
  `${keptWith ?? name}?${scopeKey(scope)}`;

/** The count of this limit, where anything was counted. */
export function countIn(document: QuotaCount | undefined, { name, keptWith }: QuotaLimit): Count | undefined {
  if (keptWith !== undefined) return document?.others?.[name];
  return document?.used === undefined ? undefined : (document as Count);
}

/** The document with this count of a limit. */
export function withCount(
  document: QuotaCount | undefined,
  { name, keptWith }: QuotaLimit,
  scope: readonly string[],
  count: Count,
): QuotaCount {
  const before = document ?? { limit: keptWith ?? name, scope: scopeKey(scope) };
  return keptWith === undefined ? { ...before, ...count } : { ...before, others: { ...before.others, [name]: count } };
}

/** The document without the count of the limit that it is named after; nothing where no other count is kept with it. */
export function withoutCount({ limit, scope, others }: QuotaCount): QuotaCount | undefined {
  return others && { limit, scope, others };
}

/** The document, which nobody else changes until this transaction ends. Where there is none yet, there is no row to hold, but a name. */
export async function heldCount(tx: Tx, key: string): Promise<QuotaCount | undefined> {
  const stored = await tx.get(quotaCounts, key);
  if (stored) return stored.value;
  await tx.lock(`${quotaCounts.name}:${key}`);
  return (await tx.get(quotaCounts, key))?.value;
}

export async function writeCount(tx: Tx, key: string, document: QuotaCount | undefined): Promise<void> {
  if (document) await tx.put(quotaCounts, key, document);
  else await tx.delete(quotaCounts, key);
}
