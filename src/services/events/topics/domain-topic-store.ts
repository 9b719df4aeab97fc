import { type Resource, resources } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type DomainTopic, domainTopics, eventSubscriptions } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { DOMAIN_TOPICS } from './limits.ts';
import { NAME, NAME_RULE } from './names.ts';

export const domainTopicId = (domain: Pick<Resource, 'id'>, name: string): string => `${domain.id}/topics/${name}`;

/** The topic of a domain, made where there is none. The caller keeps the domain from going away meanwhile. */
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

/** Without what is subscribed to it. */
export async function deleteDomainTopic(tx: Tx, jar: EventsJar, { id, domain }: DomainTopic): Promise<void> {
  await tx.delete(domainTopics, id.toLowerCase());
  await jar.limits.freeQuota(tx, { limit: DOMAIN_TOPICS, scope: [domain] });
}

/**
 * To be called when the last subscription of a scope is gone, in the same transaction: a topic of a domain goes with it, where the
 * domain wants that. `scope` is an id in lower case, of anything.
 */
export async function dropUnusedDomainTopic(tx: Tx, jar: EventsJar, scope: string): Promise<void> {
  if (!/\/domains\/[^/]+\/topics\/[^/]+$/.test(scope)) return;
  const topic = (await tx.get(domainTopics, scope))?.value;
  if (!topic) return;
  // Somebody may have subscribed to it while this waited for it.
  if ((await tx.count(eventSubscriptions, { filter: { op: 'eq', field: 'scope', value: scope } })) > 0) return;
  const domain = (await tx.get(resources, topic.domain, 'none'))?.value;
  if (domain?.properties.autoDeleteTopicWithLastSubscription !== false) await deleteDomainTopic(tx, jar, topic);
}
