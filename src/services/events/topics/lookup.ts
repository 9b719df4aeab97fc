import { type Resource, resources } from '../../../kernel/arm/index.ts';
import { readCached, type Tx } from '../../../kernel/store/index.ts';
import { accessKeys, type DomainTopic, domainTopics, endpoints } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { PARTNER_NAMESPACE_TYPE } from '../partners/kinds.ts';
import { openKeys } from './access-keys.ts';
import { domainTopicId, makeDomainTopic } from './domain-topic-store.ts';
import { endpointKey } from './forget.ts';
import { DOMAIN_TYPE } from './kinds.ts';

const KINDS: Readonly<Record<string, PublishTarget['kind']>> = {
  [DOMAIN_TYPE]: 'domain',
  [PARTNER_NAMESPACE_TYPE]: 'partnerNamespace',
};

export interface PublishTarget {
  readonly kind: 'topic' | 'domain' | 'partnerNamespace';
  readonly key: string;
  readonly resource: Resource;
}

/** Finds the topic or domain by region and name; from the cache if possible, since every publication needs it. */
export async function findTarget(jar: EventsJar, region: string, name: string): Promise<PublishTarget | undefined> {
  const { store } = jar;
  const at = endpointKey(region, name);
  const endpoint = store.peek(endpoints, at) ?? (await readCached(store, endpoints, at));
  if (!endpoint) return undefined;
  const key = endpoint.value.resourceKey;
  const stored = store.peek(resources, key) ?? (await readCached(store, resources, key));
  if (!stored) return undefined;
  const resource = stored.value;
  return { kind: KINDS[resource.type] ?? 'topic', key, resource };
}

/** Both keys in plain text, cached. */
export async function keysOf(jar: EventsJar, resourceKey: string): Promise<{ key1: string; key2: string }> {
  const { store, vault } = jar;
  const sealed = store.peek(accessKeys, resourceKey) ?? (await readCached(store, accessKeys, resourceKey));
  if (!sealed) throw eventErrors.TopicNotFound();
  return openKeys(vault, sealed.value);
}

/** Finds the topic of a domain, or creates it if the domain creates topics automatically; otherwise returns undefined. */
export async function domainTopicFor(
  tx: Tx,
  jar: EventsJar,
  domain: Resource,
  name: string,
  by: 'event' | 'subscription',
): Promise<DomainTopic | undefined> {
  const key = domainTopicId(domain, name).toLowerCase();
  // An event may coincide with the deletion of its topic; a subscription must lock its topic against deletion.
  const known = by === 'event' ? jar.store.peek(domainTopics, key) : undefined;
  const found = known ?? (await tx.get(domainTopics, key, by === 'event' ? 'none' : 'share'));
  if (found) return found.value;
  const current = (await tx.get(resources, domain.id.toLowerCase(), 'share'))?.value;
  if (!current || current.properties.autoCreateTopicWithFirstSubscription === false) return undefined;
  return (await makeDomainTopic(tx, jar, current, name, true)).topic;
}
