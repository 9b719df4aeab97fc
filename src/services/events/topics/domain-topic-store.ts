import { type Resource, resources } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type DomainTopic, domainTopics, eventSubscriptions } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { DOMAIN_TOPICS } from './limits.ts';
import { NAME, NAME_RULE } from './names.ts';

export const domainTopicId = (domain: Pick<Resource, 'id'>, name: string): string => `${domain.id}/topics/${name}`;

/** Finds or creates the topic of a domain. The caller holds a lock on the domain. */
export async function makeDomainTopic(
  tx: Tx,
  jar: EventsJar,
  domain: Resource,
  name: string,
  isAutomatic: boolean,
): Promise<{ readonly topic: DomainTopic; readonly isNew: boolean }> {
  if (!NAME.test(name)) {
    const reason = `The name '${name.slice(0, 60)}' of a topic of the domain is not valid: ${NAME_RULE}.`;
    throw eventErrors.InvalidRequest({ reason }, { target: 'name' });
  }
  const id = domainTopicId(domain, name);
  const key = id.toLowerCase();
  await tx.lock(`${domainTopics.name}:${key}`);
  const existing = await tx.get(domainTopics, key);
  if (existing) return { topic: existing.value, isNew: false };
  const topic = { id, name, domain: domain.id.toLowerCase(), isAutomatic, createdAt: jar.clock.now() };
  const { allowed, maximum } = await jar.limits.takeQuota(tx, { limit: DOMAIN_TOPICS, scope: [topic.domain] });
  if (!allowed)
    throw eventErrors.QuotaReached({ limit: maximum, unit: 'topics', place: `of the domain '${domain.name}'` });
  await tx.put(domainTopics, key, topic);
  return { topic, isNew: true };
}

/** Deletes only the topic, not its subscriptions. */
export async function deleteDomainTopic(tx: Tx, jar: EventsJar, { id, domain }: DomainTopic): Promise<void> {
  await tx.delete(domainTopics, id.toLowerCase());
  await jar.limits.freeQuota(tx, { limit: DOMAIN_TOPICS, scope: [domain] });
}

/**
 * Must be called when a subscription of a scope is deleted, in the same transaction. Deletes a topic of a domain with its last
 * subscription, if the domain is configured so. `scope` is an id in lower case, of any kind.
 */
export async function dropUnusedDomainTopic(tx: Tx, jar: EventsJar, scope: string): Promise<void> {
  if (!/\/domains\/[^/]+\/topics\/[^/]+$/.test(scope)) return;
  const topic = (await tx.get(domainTopics, scope))?.value;
  if (!topic) return;
  // A new subscription may have been created while this waited for the lock.
  if ((await tx.count(eventSubscriptions, { filter: { op: 'eq', field: 'scope', value: scope } })) > 0) return;
  const domain = (await tx.get(resources, topic.domain, 'none'))?.value;
  if (domain?.properties.autoDeleteTopicWithLastSubscription !== false) await deleteDomainTopic(tx, jar, topic);
}
