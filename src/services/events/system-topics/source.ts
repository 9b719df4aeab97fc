import {
  type ArmFacts,
  allowedFromAbove,
  covers,
  gatewayErrors,
  parseScope,
  roleAssignments,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import { readCached, type Tx } from '../../../kernel/store/index.ts';
import { systemTopicSources } from '../collections.ts';
import type { EventsCall, EventsJar } from '../jar.ts';
import { findSource, type Parent } from '../subscriptions/scope.ts';
import { invalid } from '../topics/body.ts';
import { isSourceOf, type TopicType, topicTypeNamed } from '../topics/topic-types.ts';
import { sourceIdOf, sourceKeyOf } from './stored.ts';

/** Rules for the source of a system topic. */

/** Before the transaction: the source must be in the subscription of its system topic, and the caller needs write permission on it. */
export async function checkSource(
  { jar, caller }: EventsCall,
  arm: ArmFacts,
  source: string,
  type: TopicType,
): Promise<void> {
  const subscription = arm.subscription as Subscription;
  const key = sourceKeyOf(jar, source);
  if (!isSourceOf(type, key))
    throw invalid('properties.source', `'${source.slice(0, 200)}' is not a source of the topic type ${type.name}`);
  if (parseScope(key).subscriptionId !== subscription.subscriptionId.toLowerCase())
    throw invalid('properties.source', 'it is in another subscription than its system topic');
  if (!caller) return;
  const { namespace } = jar.config;
  const held = (await readCached(jar.store, roleAssignments, caller.objectId.toLowerCase()))?.value.assignments ?? [];
  if (held.some(({ scope, role }) => role !== 'Reader' && covers(scope, key, namespace))) return;
  if (await allowedFromAbove(jar.store, held, subscription, 'write', namespace)) return;
  const { name: client, objectId } = caller;
  const action = 'Vendor.EventGrid/systemTopics/write';
  throw gatewayErrors.AuthorizationFailed({ client, objectId, action, scope: source });
}

/** Finds the source and locks it against deletion until the transaction ends. */
export async function lockSource(tx: Tx, jar: EventsJar, arm: ArmFacts, source: string): Promise<Parent> {
  return findSource(tx, jar, arm, sourceIdOf(source));
}

/** A source has at most one system topic of each topic type. Throws if another one exists. */
export async function claimSource(tx: Tx, key: string, { name }: TopicType, systemTopic: string): Promise<void> {
  await tx.lock(`${systemTopicSources.name}:${key}`);
  const systemTopics = (await tx.get(systemTopicSources, key))?.value.systemTopics ?? {};
  const claimed = systemTopics[name];
  if (claimed === systemTopic) return;
  if (claimed !== undefined)
    throw invalid('properties.source', 'only one system topic is allowed per source, and there is one already');
  await tx.put(systemTopicSources, key, { systemTopics: { ...systemTopics, [name]: systemTopic } });
}

/** Releases the claim, if this system topic holds it. */
export async function freeSource(tx: Tx, key: string, systemTopic: string): Promise<void> {
  await tx.lock(`${systemTopicSources.name}:${key}`);
  const systemTopics = Object.entries((await tx.get(systemTopicSources, key))?.value.systemTopics ?? {});
  const others = systemTopics.filter(([, claimed]) => claimed !== systemTopic);
  if (others.length === systemTopics.length) return;
  if (others.length === 0) await tx.delete(systemTopicSources, key);
  else await tx.put(systemTopicSources, key, { systemTopics: Object.fromEntries(others) });
}

/** Scopes that an event of a source goes to: the source, and its system topics whose topic type has this event type. */
export async function scopesOfSource(tx: Tx, key: string, eventType: string): Promise<string[]> {
  const claimed = await tx.get(systemTopicSources, key, 'none');
  if (!claimed) return [key];
  const systemTopics = Object.entries(claimed.value.systemTopics).filter(([name]) => hasEvent(name, eventType));
  return [key, ...systemTopics.map(([, systemTopic]) => systemTopic)];
}

/** A topic type without listed event types may send any. */
function hasEvent(topicType: string, eventType: string): boolean {
  const events = topicTypeNamed(topicType)?.eventTypes ?? [];
  return events.length === 0 || events.some(({ name }) => name === eventType);
}
