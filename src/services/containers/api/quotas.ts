import type { Resource } from '../../../kernel/arm/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { containerErrors } from '../errors.ts';
import { totalOf } from './amounts.ts';
import { storedGroup } from './echo.ts';
import { QUOTA_NAMES, QUOTAS, type QuotaName } from './limits.ts';
import type { GroupPropertiesBody } from './schema.ts';

type Counted = Pick<GroupPropertiesBody, 'sku' | 'priority' | 'containers'>;
type Counts = Partial<Record<QuotaName, number>>;

/** The quota that a group uses in its region. A fraction of a core counts as a whole core. */
function countsOf(properties: Counted): Counts {
  const { sku = 'Standard', priority } = properties;
  const { cpu, gpu } = totalOf(properties);
  const cores = Math.ceil(cpu);
  if (sku === 'Dedicated') return { DedicatedContainerGroups: 1, DedicatedCores: cores };
  if (sku === 'Confidential') return { ConfidentialContainerGroups: 1, ConfidentialCores: cores };
  if (gpu) return { ContainerGroups: 1, [`Standard${gpu.sku}Cores` as const]: cores };
  return { ContainerGroups: 1, [priority === 'Spot' ? 'StandardSpotCores' : 'StandardCores']: cores };
}

const countsOfResource = (resource: Resource | undefined): Counts => (resource ? countsOf(storedGroup(resource)) : {});

interface Place {
  readonly subscriptionId: string;
  readonly region: string;
}

/** Called in the transaction of a write. Replaces the counts of the group's old version by those of its new one. */
export async function takeQuotas(
  tx: Tx,
  jar: Jar,
  { subscriptionId, region }: Place,
  properties: GroupPropertiesBody,
  before: Resource | undefined,
): Promise<void> {
  const now = countsOf(properties);
  const old = countsOfResource(before);
  // Always in the same order, so that two transactions cannot deadlock.
  for (const name of QUOTA_NAMES) {
    const { limit } = QUOTAS[name];
    const scope = [subscriptionId.toLowerCase(), region];
    const more = (now[name] ?? 0) - (old[name] ?? 0);
    if (more < 0) await jar.limits.freeQuota(tx, { limit, scope, count: -more });
    if (more <= 0) continue;
    const { allowed, maximum, current, requested } = await jar.limits.takeQuota(tx, { limit, scope, count: more });
    if (allowed) continue;
    throw containerErrors.ContainerGroupQuotaReached(
      { quota: name, region, limit: maximum, usage: current, requested },
      { target: 'properties.containers' },
    );
  }
}

export async function freeQuotas(tx: Tx, jar: Jar, resource: Resource): Promise<void> {
  const counts = countsOfResource(resource);
  for (const name of QUOTA_NAMES) {
    const count = counts[name] ?? 0;
    const scope = [resource.subscriptionId.toLowerCase(), resource.location ?? ''];
    if (count > 0) await jar.limits.freeQuota(tx, { limit: QUOTAS[name].limit, scope, count });
  }
}
