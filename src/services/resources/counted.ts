import { type Resource, STORAGE_ACCOUNTS_IN_REGION, VIRTUAL_MACHINES_IN_REGION } from '../../kernel/arm/index.ts';
import { errorTable } from '../../kernel/http/index.ts';
import type { QuotaLimit } from '../../kernel/limits/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';

export const countedErrors = errorTable({
  RegionQuotaExceeded: [
    409,
    "Creating '{name}' exceeds the quota of {maximum} {unit} per subscription in the region '{region}'; there are {current}.",
  ],
});

/** Record types with a quota per region. */
const LIMITS: Readonly<Record<string, QuotaLimit>> = {
  'vendor.storage/storageaccounts': STORAGE_ACCOUNTS_IN_REGION,
  'vendor.compute/virtualmachines': VIRTUAL_MACHINES_IN_REGION,
};

type LimitJar = Pick<Jar, 'limits'>;

export interface Place {
  readonly subscription: string;
  readonly region: string;
  readonly name: string;
}

/** Called in the transaction that creates a resource; does nothing for types without a quota. */
export async function takeCounted(tx: Tx, { limits }: LimitJar, type: string, place: Place): Promise<void> {
  const limit = LIMITS[type.toLowerCase()];
  if (!limit) return;
  const { subscription, region, name } = place;
  const { allowed, maximum, current } = await limits.takeQuota(tx, { limit, scope: [subscription, region] });
  if (!allowed)
    throw countedErrors.RegionQuotaExceeded({ name, maximum, current, region, unit: limit.unit ?? 'resources' });
}

/** Called in the transaction that deletes a resource, whether alone or with its group. */
export async function freeCounted(tx: Tx, resource: Resource, { limits }: LimitJar): Promise<void> {
  const { type, subscriptionId, location = '' } = resource;
  const limit = LIMITS[type.toLowerCase()];
  if (limit) await limits.freeQuota(tx, { limit, scope: [subscriptionId.toLowerCase(), location] });
}
