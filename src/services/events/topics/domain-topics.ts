import { Type } from 'typebox';
import {
  armFacts,
  beginOperation,
  endOperation,
  listPage,
  mutate,
  operationHeaders,
  originOf,
  resources,
  type Subscription,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { created, ok } from '../../../kernel/http/index.ts';
import { entityShape, LIST_QUERY } from '../../../kernel/odata/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { shownSystemData } from '../answers.ts';
import { type DomainTopic, domainTopics } from '../collections.ts';
import { acceptDeletion, DELETION_RESPONSES } from '../deletion.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { removeSubscriptionsOf } from '../subscriptions/remove.ts';
import { NAMESPACE, POLLING } from '../versions.ts';
import { deleteDomainTopic, makeDomainTopic } from './domain-topic-store.ts';
import { findIn, keyIn, notFound } from './find.ts';
import { DOMAIN, DOMAIN_TOPIC_TYPE } from './kinds.ts';

const PARAMS = ['domainName', 'domainTopicName'] as const;

const TopicSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  systemData: Type.Union([Type.Object({ createdAt: Type.String() }), Type.Null()]),
  properties: Type.Object({ provisioningState: Type.Enum(['Creating', 'Updating', 'Succeeded']) }),
});

const SHAPE = entityShape<DomainTopic>({
  name: 'domain topics',
  collection: domainTopics,
  properties: { name: { type: 'Edm.String', field: 'name', ignoreCase: true } },
  scan: 'bounded',
});

/** `provisioningState` differs only in the answer to a write: the commit completes the topic. */
function viewOf(call: Pick<EventsCall, 'facts'>, topic: DomainTopic, provisioningState = 'Succeeded') {
  const { prefix } = armFacts(call);
  const systemData = { createdAt: new Date(topic.createdAt).toISOString() };
  return {
    properties: { provisioningState },
    systemData: shownSystemData(call, systemData, provisioningState !== 'Succeeded'),
    id: withPrefix(topic.id, prefix),
    name: topic.name,
    type: withPrefix(DOMAIN_TOPIC_TYPE, prefix),
  };
}

export const put = armCode(PARAMS, {
  responses: { 201: TopicSchema },
  async handle(call, arm) {
    const { domainName, domainTopicName } = call.params;
    const { jar } = call;
    const { topic, state, operation } = await mutate(call, async (tx) => {
      const { resource } = await findIn(tx, arm, DOMAIN, domainName, 'share');
      const { topic, isNew } = await makeDomainTopic(tx, jar, resource, domainTopicName, false);
      if (topic.isAutomatic) await tx.put(domainTopics, topic.id.toLowerCase(), { ...topic, isAutomatic: false });
      const now = jar.clock.now();
      const { subscriptionId } = arm.subscription as Subscription;
      const { location = '' } = resource;
      const about = { subscriptionId, location, namespace: NAMESPACE, origin: originOf(call) };
      const operation = await beginOperation(tx, about, now);
      await endOperation(tx, operation.id, { status: 'Succeeded' }, now);
      return { topic, state: isNew ? 'Creating' : 'Updating', operation };
    });
    return created(viewOf(call, topic, state), operationHeaders(call, operation, 'status', POLLING));
  },
});

export const get = armCode(PARAMS, {
  responses: { 200: TopicSchema },
  async handle(call, arm) {
    const { domainName, domainTopicName } = call.params;
    const key = `${keyIn(arm, DOMAIN, domainName)}/topics/${domainTopicName}`.toLowerCase();
    const stored = await readCached(call.jar.store, domainTopics, key);
    if (!stored) throw notFound(arm, DOMAIN_TOPIC_TYPE, `${domainName}/${domainTopicName}`);
    return ok(viewOf(call, stored.value));
  },
});

export const remove = armCode(PARAMS, {
  responses: DELETION_RESPONSES,
  handle(call, arm) {
    const { domainName, domainTopicName } = call.params;
    const { jar } = call;
    const domain = keyIn(arm, DOMAIN, domainName);
    const key = `${domain}/topics/${domainTopicName}`.toLowerCase();
    return acceptDeletion(call, arm, async (tx) => {
      const topic = (await tx.get(domainTopics, key))?.value;
      if (!topic) return undefined;
      await deleteDomainTopic(tx, jar, topic);
      await removeSubscriptionsOf(tx, jar, key);
      return { location: (await tx.get(resources, domain, 'none'))?.value.location ?? '' };
    });
  },
});

export const list = armCode(['domainName'], {
  query: Type.Object(LIST_QUERY),
  responses: { 200: Type.Object({ value: Type.Array(TopicSchema), nextLink: Type.Optional(Type.String()) }) },
  async handle(call, arm) {
    const domain = keyIn(arm, DOMAIN, call.params.domainName);
    if (!(await readCached(call.jar.store, resources, domain)))
      throw notFound(arm, DOMAIN.type, call.params.domainName);
    return listPage(call, domainTopics, { shape: SHAPE, prefix: `${domain}/topics/` }, (topic) => viewOf(call, topic));
  },
});
