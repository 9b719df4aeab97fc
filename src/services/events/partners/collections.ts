import { collection, type Json, text } from '../../../kernel/store/index.ts';
import type { AdvancedFilter } from '../definition.ts';

/** What a channel leads to: a resource in a group of the partner's customer. */
export interface ChannelTarget {
  readonly kind: 'partnerTopics' | 'partnerDestinations';
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
  /** Of the partner topic or partner destination. */
  readonly id: string;
}

/** How far the customer is with what the channel leads to. */
export type Readiness = 'NeverActivated' | 'Activated' | 'Deactivated' | 'Deleted';

/** A channel of a partner namespace, or an event channel, which is what there was before them. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly form: 'channels' | 'eventChannels';
  /** The key of the partner namespace. */
  readonly namespace: string;
  readonly target: ChannelTarget;
  /** Of events for a partner topic. */
  readonly source?: string;
  /** `partnerTopicInfo`, `partnerDestinationInfo` or `destination`, as it is shown. */
  readonly info: { readonly [name: string]: Json | undefined };
  /** Where events for a partner destination go, with its query. */
  readonly sealed?: string;
  /** Who the endpoint wants the events to come from. */
  readonly client?: { readonly tenantId: string; readonly audience: string };
  /** Of an event channel: which events it lets through. */
  readonly filter?: {
    readonly enableAdvancedFilteringOnArrays?: boolean;
    readonly advancedFilters?: readonly AdvancedFilter[];
  };
  /** For the people who are to activate it. */
  readonly message?: string;
  /** When it is removed unless it was activated before; as it was sent. */
  readonly expiresAt: string;
  readonly readiness: Readiness;
  readonly systemData: Json;
  readonly createdAt: number;
}

export const channelKey = ({ id }: Pick<Channel, 'id'>): string => id.toLowerCase();
export const targetKey = ({ target }: Pick<Channel, 'target'>): string => target.id.toLowerCase();

export const channels = collection<Channel>('events.channels', {
  fields: {
    name: text((it) => it.name.toLowerCase()),
    namespace: text((it) => it.namespace),
    source: text((it) => it.source),
  },
  indexes: [['namespace', 'source']],
  cached: true,
  secrets: {
    what: 'addresses of partner destinations',
    afterwards: 'Partner destinations have no address until their channels are PUT again',
    remove: ({ sealed: _, ...rest }) => rest,
  },
});
