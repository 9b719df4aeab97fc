import { collection, type Json, text } from '../../../kernel/store/index.ts';
import type { AdvancedFilter } from '../definition.ts';

/** Target of a channel: a resource in a resource group of the partner's customer. */
export interface ChannelTarget {
  readonly kind: 'partnerTopics' | 'partnerDestinations';
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
  /** Id of the partner topic or partner destination. */
  readonly id: string;
}

/** The customer's decision about a channel's target. */
export type Readiness = 'NeverActivated' | 'Activated' | 'Deactivated' | 'Deleted';

/** A channel of a partner namespace, or an event channel, its predecessor. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly form: 'channels' | 'eventChannels';
  /** Key of the partner namespace. */
  readonly namespace: string;
  readonly target: ChannelTarget;
  /** Source of events for a partner topic. */
  readonly source?: string;
  /** `partnerTopicInfo`, `partnerDestinationInfo` or `destination`, as it is shown. */
  readonly info: { readonly [name: string]: Json | undefined };
  /** Sealed address of a partner destination, with its query. */
  readonly sealed?: string;
  /** Identity that the endpoint expects as the sender of events. */
  readonly client?: { readonly tenantId: string; readonly audience: string };
  /** For an event channel: the events that it passes on. */
  readonly filter?: {
    readonly enableAdvancedFilteringOnArrays?: boolean;
    readonly advancedFilters?: readonly AdvancedFilter[];
  };
  /** Message for the people who are to activate the target. */
  readonly message?: string;
  /** When the target is removed unless it has been activated; as it was sent. */
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
