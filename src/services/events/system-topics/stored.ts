import { canonicalNamespace, type Resource, resourceKey } from '../../../kernel/arm/index.ts';
import type { EventsJar } from '../jar.ts';
import { invalid } from '../topics/body.ts';
import { type TopicType, topicTypeNamed } from '../topics/topic-types.ts';

/** Source and topic type of a system topic. */

/** As stored and shown: both as they were first sent. */
export type SystemTopicProperties = { readonly source: string; readonly topicType: string };

/** The cast is safe: every system topic is written with both members. */
export const storedSource = ({ properties }: Pick<Resource, 'properties'>): SystemTopicProperties =>
  properties as SystemTopicProperties;

/** Looks up `topicType` in the table, whatever its prefix. */
export function topicTypeIn({ config }: Pick<EventsJar, 'config'>, sent: string): TopicType {
  const found = topicTypeNamed(canonicalNamespace(sent, config.namespace));
  if (found) return found;
  throw invalid('properties.topicType', `'${sent.slice(0, 100)}' is not a topic type; GET …/topicTypes lists them`);
}

/** The id of a source as it was sent, with exactly one leading slash. */
export const sourceIdOf = (source: string): string => `/${source.replace(/^\/+|\/+$/g, '')}`;

/** The key of a source, independent of spelling. */
export const sourceKeyOf = ({ config }: Pick<EventsJar, 'config'>, source: string): string =>
  resourceKey(sourceIdOf(source), config.namespace);
