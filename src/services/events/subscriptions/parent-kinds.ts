import type { OperationHeaderOptions } from '../../../kernel/arm/index.ts';
import {
  NAMESPACE,
  NESTED_API_VERSIONS,
  PARTNER_API_VERSIONS,
  POLLING,
  SYSTEM_POLLING,
  SYSTEM_TOPIC_API_VERSIONS,
} from '../versions.ts';

/**
 * Parent types with nested event subscriptions, which are distinct from subscriptions at the same scope. To add a parent type, add a row
 * here and its type in `version-table.ts`.
 */
export interface ParentKind {
  /** `Vendor.EventGrid/topics/eventSubscriptions` */
  readonly type: string;
  /** The path below the provider: types of the segments, with the parameters that hold their names. */
  readonly segments: readonly (readonly [type: string, param: ParentParam])[];
  /** Prefix of operation names, for example `TopicEventSubscriptions`. */
  readonly operations: string;
  readonly apiVersions: readonly string[];
  /** Answers show the parent in `topic` unchanged, rather than with its types in lower case. */
  readonly showsTopicAsIs?: boolean;
  /**
   * Answers to writes look like those of subscriptions below system topics: their type, and the parent unchanged. Answers to reads do not.
   */
  readonly writesNameSystemTopics?: boolean;
  /** How clients poll operations on its subscriptions. */
  readonly polling: OperationHeaderOptions;
}

export const PARENT_PARAMS = ['topicName', 'domainName', 'systemTopicName', 'partnerTopicName'] as const;
export type ParentParam = (typeof PARENT_PARAMS)[number];

const nested = (
  operations: string,
  segments: ParentKind['segments'],
  rest: Partial<Pick<ParentKind, 'apiVersions' | 'showsTopicAsIs' | 'writesNameSystemTopics' | 'polling'>> = {},
): ParentKind => ({
  type: `${NAMESPACE}/${segments.map(([type]) => type).join('/')}/eventSubscriptions`,
  segments,
  operations,
  apiVersions: NESTED_API_VERSIONS,
  polling: POLLING,
  ...rest,
});

export const PARENT_KINDS: readonly ParentKind[] = [
  nested('TopicEventSubscriptions', [['topics', 'topicName']]),
  nested('DomainEventSubscriptions', [['domains', 'domainName']]),
  nested('DomainTopicEventSubscriptions', [
    ['domains', 'domainName'],
    ['topics', 'topicName'],
  ]),
  nested('SystemTopicEventSubscriptions', [['systemTopics', 'systemTopicName']], {
    apiVersions: SYSTEM_TOPIC_API_VERSIONS,
    showsTopicAsIs: true,
    polling: SYSTEM_POLLING,
  }),
  nested('PartnerTopicEventSubscriptions', [['partnerTopics', 'partnerTopicName']], {
    apiVersions: PARTNER_API_VERSIONS,
    writesNameSystemTopics: true,
  }),
];

const byType = new Map(PARENT_KINDS.map((kind) => [kind.type, kind]));

/** By the type of a nested subscription. */
export const parentKindOf = (type: string): ParentKind | undefined => byType.get(type);
