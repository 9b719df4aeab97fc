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
  /** The id of the resource that was written. */
  readonly target: string;
}

/** What is counted, and where. */
interface Counted {
  /** The quota's scope, and the id of the resource that it belongs to. */
  readonly scope: string;
  readonly owner: string;
  /** The id of the resource that takes one or gives one back. */
  readonly target: string;
}

/** Takes one of a quota for something new; for what exists already it only looks. */
export async function takeOne(
  tx: Tx,
  jar: DataShareJar,
  quota: NamedQuota,
  { scope, owner, target }: Counted,
  isNew: boolean,
): Promise<QuotaStanding> {
  const count = isNew ? 1 : 0;
  const { allowed, maximum, current } = await jar.limits.takeQuota(tx, { limit: quota, scope: [scope], count });
  // What exists may be changed, even where the limit was lowered below what there is.
  if (!allowed && isNew)
    throw dataShareErrors.QuotaExceeded({
      quota: quota.shownAs,
      owner: owner.slice(owner.lastIndexOf('/') + 1),
      limit: maximum,
    });
  return { quota, used: current + count, limit: maximum, target };
}

export async function freeOne(
  tx: Tx,
  jar: DataShareJar,
  quota: NamedQuota,
  { scope, target }: Omit<Counted, 'owner'>,
): Promise<QuotaStanding> {
  await jar.limits.freeQuota(tx, { limit: quota, scope: [scope] });
  const { maximum, current } = await jar.limits.takeQuota(tx, { limit: quota, scope: [scope], count: 0 });
  return { quota, used: current, limit: maximum, target };
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
