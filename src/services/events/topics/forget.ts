import type { Resource } from '../../../kernel/arm/index.ts';
import type { QuotaLimit } from '../../../kernel/limits/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { accessKeys, domainTopics, endpoints } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { removeSubscriptionsOf } from '../subscriptions/remove.ts';
import { DOMAIN_TOPICS } from './limits.ts';

/** Domain topics per page of a deletion. */
const PAGE = 1000;

/** `region/name`: key of the endpoint of a topic or a domain. */
export const endpointKey = (region: string, name: string): string => `${region}/${name}`.toLowerCase();

/** Deletes what belongs to a topic or a domain, in the transaction that deletes it. */
export async function forgetPublishing(tx: Tx, resource: Resource, jar: EventsJar, quota: QuotaLimit): Promise<void> {
  const key = resource.id.toLowerCase();
  const region = resource.location ?? '';
  const endpoint = endpointKey(region, resource.name);
  if ((await tx.get(endpoints, endpoint))?.value.resourceKey === key) await tx.delete(endpoints, endpoint);
  await tx.delete(accessKeys, key);
  await forgetDomainTopics(tx, jar, key);
  await removeSubscriptionsOf(tx, jar, key);
  await jar.limits.freeQuota(tx, { limit: quota, scope: [resource.subscriptionId.toLowerCase(), region] });
}

async function forgetDomainTopics(tx: Tx, jar: EventsJar, domain: string): Promise<void> {
  let deleted = 0;
  for await (const page of pagesOf(tx, domainTopics, { prefix: `${domain}/topics/`, page: PAGE })) {
    for (const { key } of page) await tx.delete(domainTopics, key);
    deleted += page.length;
  }
  await jar.limits.freeQuota(tx, { limit: DOMAIN_TOPICS, scope: [domain], count: deleted });
}
