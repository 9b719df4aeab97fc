import type { Resource, ResourceMove } from '../../../kernel/arm/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { accessKeys, type DomainTopic, domainTopics, endpoints } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { endpointKey } from '../topics/forget.ts';
import { DOMAIN, type Kind, TOPIC } from '../topics/kinds.ts';
import { DOMAIN_TOPICS } from '../topics/limits.ts';
import { moveSubscriptions } from './subscriptions.ts';

/** Domain topics per page. */
const PAGE = 1000;

/** Moves what the service stores for a resource of any type; topics and domains keep their address and their keys. */
export async function moveWithResource(tx: Tx, move: ResourceMove, jar: EventsJar): Promise<void> {
  const kind = [TOPIC, DOMAIN].find(({ type }) => type === move.from.type);
  if (kind) await movePublishing(tx, jar, move, kind);
  await moveSubscriptions(tx, jar, move);
}

async function movePublishing(tx: Tx, jar: EventsJar, { from, to }: ResourceMove, kind: Kind): Promise<void> {
  const [before, after] = [from.id.toLowerCase(), to.id.toLowerCase()];
  await tx.put(endpoints, endpointKey(to.location ?? '', to.name), { resourceKey: after });
  const keys = await tx.get(accessKeys, before);
  if (keys) await tx.put(accessKeys, after, keys.value);
  await tx.delete(accessKeys, before);
  if (kind === DOMAIN) await moveDomainTopics(tx, jar, before, to);
  if (from.subscriptionId !== to.subscriptionId) await countElsewhere(tx, jar, { from, to }, kind);
}

async function moveDomainTopics(tx: Tx, jar: EventsJar, before: string, domain: Resource): Promise<void> {
  const after = domain.id.toLowerCase();
  const found: DomainTopic[] = [];
  for await (const page of pagesOf(tx, domainTopics, { prefix: `${before}/topics/`, page: PAGE }))
    found.push(...page.map(({ value }) => value));
  for (const topic of found) {
    const id = `${domain.id}/topics/${topic.name}`;
    await tx.delete(domainTopics, topic.id.toLowerCase());
    await tx.put(domainTopics, id.toLowerCase(), { ...topic, id, domain: after });
    await jar.limits.takeQuota(tx, { limit: DOMAIN_TOPICS, scope: [after] });
  }
  await jar.limits.freeQuota(tx, { limit: DOMAIN_TOPICS, scope: [before], count: found.length });
}

async function countElsewhere(
  tx: Tx,
  jar: EventsJar,
  { from, to }: ResourceMove,
  { quota, word }: Kind,
): Promise<void> {
  const { location = '', subscriptionId } = to;
  await jar.limits.freeQuota(tx, { limit: quota, scope: [from.subscriptionId.toLowerCase(), location] });
  const scope = [subscriptionId.toLowerCase(), location];
  const { allowed, maximum } = await jar.limits.takeQuota(tx, { limit: quota, scope });
  if (allowed) return;
  const place = `of the subscription in region '${location}'`;
  throw eventErrors.QuotaReached({ limit: maximum, unit: `${word}s`, place });
}
