import { canonicalNamespace, type Resource, resourceKey } from '../../../kernel/arm/index.ts';
import type { EventsJar } from '../jar.ts';
import { invalid } from '../topics/body.ts';
import { type TopicType, topicTypeNamed } from '../topics/topic-types.ts';

/** What a system topic says of its source. */

/** As stored and shown: both as they were first sent. */
export type SystemTopicProperties = { readonly source: string; readonly topicType: string };

/** The properties of a stored system topic: each was written with both. */
export const storedSource = ({ properties }: Pick<Resource, 'properties'>): SystemTopicProperties =>
  properties as SystemTopicProperties;

/** `topicType` as it was sent, by the table. */
export function topicTypeIn({ config }: Pick<EventsJar, 'config'>, sent: string): TopicType {
  const found = topicTypeNamed(canonicalNamespace(sent, config.namespace));
  if (found) return found;
  throw invalid('properties.topicType', `'${sent.slice(0, 100)}' is no topic type; GET …/topicTypes lists them`);
}

/** The id of a source as it was sent, with one slash in front. */
export const sourceIdOf = (source: string): string => `/${source.replace(/^\/+|\/+$/g, '')}`;

/** The key of a source, however it is written. */
export const sourceKeyOf = ({ config }: Pick<EventsJar, 'config'>, source: string): string =>
  resourceKey(sourceIdOf(source), config.namespace);
