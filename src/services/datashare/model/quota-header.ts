import { withPrefix } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { dataShareErrors } from '../errors.ts';
import type { DataShareJar } from '../jar.ts';
import type { NamedQuota } from '../limits.ts';

/** Use of a quota, for the header of write responses. */
export interface QuotaUse {
  readonly quota: NamedQuota;
  readonly used: number;
  readonly limit: number;
  /** Id of the written resource. */
  readonly target: string;
}

/** A quota and its scope. */
interface Counted {
  /** The quota's scope, and the id of the resource to which it belongs. */
  readonly scope: string;
  readonly owner: string;
  /** Id of the resource that takes or frees one unit. */
  readonly target: string;
}

/** Takes one unit of a quota for a new resource; for an existing resource it only reads the use. */
export async function takeUnit(
  tx: Tx,
  jar: DataShareJar,
  quota: NamedQuota,
  { scope, owner, target }: Counted,
  isNew: boolean,
): Promise<QuotaUse> {
  const count = isNew ? 1 : 0;
  const { allowed, maximum, current } = await jar.limits.takeQuota(tx, { limit: quota, scope: [scope], count });
  // An existing resource can be updated even if the limit is now below the current use.
  if (!allowed && isNew)
    throw dataShareErrors.QuotaExceeded({
      quota: quota.shownAs,
      owner: owner.slice(owner.lastIndexOf('/') + 1),
      limit: maximum,
    });
  return { quota, used: current + count, limit: maximum, target };
}

export async function freeUnit(
  tx: Tx,
  jar: DataShareJar,
  quota: NamedQuota,
  { scope, target }: Omit<Counted, 'owner'>,
): Promise<QuotaUse> {
  await jar.limits.freeQuota(tx, { limit: quota, scope: [scope] });
  const { maximum, current } = await jar.limits.takeQuota(tx, { limit: quota, scope: [scope], count: 0 });
  return { quota, used: current, limit: maximum, target };
}

export function quotaHeader(
  { quota, used, limit, target }: QuotaUse,
  prefix: string,
): Readonly<Record<string, string>> {
  const name = { localizedValue: quota.shownAs, value: quota.shownAs };
  return { 'x-ms-quota': asciiJson([{ currentUsed: used, limit, name, target: withPrefix(target, prefix) }]) };
}

/** JSON escaped for a header, whatever characters resource names contain. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
