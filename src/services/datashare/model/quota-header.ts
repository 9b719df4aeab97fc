import { withPrefix } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { dataShareErrors } from '../errors.ts';
import type { DataShareJar } from '../jar.ts';
import type { NamedQuota } from '../limits.ts';

/** How much of a quota is used, as write answers tell it. */
export interface QuotaStanding {
  readonly quota: NamedQuota;
  readonly used: number;
  readonly limit: number;
  /** The id of what the quota belongs to. */
  readonly target: string;
}

interface Owner {
  /** Of the quota's scope. */
  readonly scope: string;
  readonly id: string;
}

/** Takes one of a quota for something new; for what exists already it only looks. */
export async function takeOne(
  tx: Tx,
  jar: DataShareJar,
  quota: NamedQuota,
  { scope, id }: Owner,
  isNew: boolean,
): Promise<QuotaStanding> {
  const count = isNew ? 1 : 0;
  const { allowed, maximum, current } = await jar.limits.takeQuota(tx, { limit: quota, scope: [scope], count });
  // What exists may be changed, even where the limit was lowered below what there is.
  if (!allowed && isNew)
    throw dataShareErrors.QuotaExceeded({
      quota: quota.shownAs,
      owner: id.slice(id.lastIndexOf('/') + 1),
      limit: maximum,
    });
  return { quota, used: current + count, limit: maximum, target: id };
}

export async function freeOne(
  tx: Tx,
  jar: DataShareJar,
  quota: NamedQuota,
  { scope, id }: Owner,
): Promise<QuotaStanding> {
  await jar.limits.freeQuota(tx, { limit: quota, scope: [scope] });
  const { maximum, current } = await jar.limits.takeQuota(tx, { limit: quota, scope: [scope], count: 0 });
  return { quota, used: current, limit: maximum, target: id };
}

export function quotaHeader(
  { quota, used, limit, target }: QuotaStanding,
  prefix: string,
): Readonly<Record<string, string>> {
  const name = { localizedValue: quota.shownAs, value: quota.shownAs };
  return { 'x-ms-quota': asciiJson([{ currentUsed: used, limit, name, target: withPrefix(target, prefix) }]) };
}

/** JSON that may stand in a header, whatever is in the names of resources. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
