import { Type } from 'typebox';
import { listPage, mutate, resources, withPrefix } from '../../../kernel/arm/index.ts';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import { entityShape, LIST_QUERY } from '../../../kernel/odata/index.ts';
import { readThrough } from '../../../kernel/store/index.ts';
import { type DomainTopic, domainTopics } from '../collections.ts';
import { armCode } from '../jar.ts';
import { removeSubscriptionsOf } from '../subscriptions/remove.ts';
import { deleteDomainTopic, makeDomainTopic } from './domain-topic-store.ts';
import { findIn, keyIn, notFound } from './find.ts';
import { DOMAIN, DOMAIN_TOPIC_TYPE } from './kinds.ts';

const PARAMS = ['domainName', 'domainTopicName'] as const;

const TopicSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  systemData: Type.Optional(Type.Object({ createdAt: Type.String() })),
  properties: Type.Object({ provisioningState: Type.Literal('Succeeded') }),
});

const SHAPE = entityShape<DomainTopic>({
  name: 'domain topics',
  collection: domainTopics,
  properties: { name: { type: 'Edm.String', field: 'name', ignoreCase: true } },
  scan: 'bounded',
});

const viewOf = (prefix: string) => (topic: DomainTopic) => ({
  id: withPrefix(topic.id, prefix),
  name: topic.name,
  type: withPrefix(DOMAIN_TOPIC_TYPE, prefix),
  systemData: { createdAt: new Date(topic.createdAt).toISOString() },
  properties: { provisioningState: 'Succeeded' },
});

export const put = armCode(PARAMS, {
  responses: { 201: TopicSchema },
  async handle(call, arm) {
    const { domainName, domainTopicName } = call.params;
    const topic = await mutate(call, async (tx) => {
      const { resource } = await findIn(tx, arm, DOMAIN, domainName, 'share');
      const made = await makeDomainTopic(tx, call.jar, resource, domainTopicName, false);
      if (!made.isAutomatic) return made;
      const adopted = { ...made, isAutomatic: false };
      await tx.put(domainTopics, made.id.toLowerCase(), adopted);
      return adopted;
    });
    return created(viewOf(arm.prefix)(topic));
  },
});

export const get = armCode(PARAMS, {
  responses: { 200: TopicSchema },
  async handle(call, arm) {
    const { domainName, domainTopicName } = call.params;
    const key = `${keyIn(arm, DOMAIN, domainName)}/topics/${domainTopicName}`.toLowerCase();
    const stored = await readThrough(call.jar.store, domainTopics, key);
    if (!stored) throw notFound(arm, DOMAIN_TOPIC_TYPE, `${domainName}/${domainTopicName}`);
    return ok(viewOf(arm.prefix)(stored.value));
  },
});

export const remove = armCode(PARAMS, {
  responses: { 200: TopicSchema },
  async handle(call, arm) {
    const { domainName, domainTopicName } = call.params;
    const { jar } = call;
    const key = `${keyIn(arm, DOMAIN, domainName)}/topics/${domainTopicName}`.toLowerCase();
    const deleted = await mutate(call, async (tx) => {
      const topic = (await tx.get(domainTopics, key))?.value;
      if (!topic) return undefined;
      await deleteDomainTopic(tx, jar, topic);
      await removeSubscriptionsOf(tx, jar, key);
      return topic;
    });
    return deleted ? ok(viewOf(arm.prefix)(deleted)) : noContent();
  },
});

export const list = armCode(['domainName'], {
  query: Type.Object(LIST_QUERY),
  responses: { 200: Type.Object({ value: Type.Array(TopicSchema), nextLink: Type.Optional(Type.String()) }) },
  async handle(call, arm) {
    const domain = keyIn(arm, DOMAIN, call.params.domainName);
    if (!(await readThrough(call.jar.store, resources, domain)))
      throw notFound(arm, DOMAIN.type, call.params.domainName);
    return listPage(call, domainTopics, { shape: SHAPE, prefix: `${domain}/topics/` }, viewOf(arm.prefix));
  },
});
