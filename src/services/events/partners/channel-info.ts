import { asJson } from '../../../kernel/arm/body/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { EventsCall } from '../jar.ts';
import { invalid } from '../topics/body.ts';
import type { ChannelPatch, ChannelProperties } from './body.ts';
import type { ChannelRequest, MadeInfo } from './channel-write.ts';
import type { Channel, ChannelTarget } from './collections.ts';
import { readEndpoint } from './endpoint.ts';

/** A channel's description of the partner topic or partner destination that it leads to. */

const IN_TOPIC = 'properties.partnerTopicInfo';
const IN_DESTINATION = 'properties.partnerDestinationInfo';

type InfoWish = Pick<ChannelRequest, 'target' | 'source' | 'made'>;

export function wishOf(call: EventsCall, properties: ChannelProperties): InfoWish {
  return properties.channelType === 'PartnerTopic' ? topicWish(properties) : destinationWish(call, properties);
}

interface Named {
  readonly azureSubscriptionId?: string;
  readonly resourceGroupName?: string;
  readonly name: string;
}

const whereIn = (at: string, { name, azureSubscriptionId, resourceGroupName }: Named) => ({
  name,
  subscriptionId: azureSubscriptionId,
  resourceGroup: resourceGroupName,
  at: { subscriptionId: `${at}.azureSubscriptionId`, resourceGroup: `${at}.resourceGroupName` },
});

const shownTarget = ({ subscriptionId, resourceGroup, name }: ChannelTarget) => ({
  azureSubscriptionId: subscriptionId,
  resourceGroupName: resourceGroup,
  name,
});

function topicWish({ partnerTopicInfo: info }: ChannelProperties): InfoWish {
  if (!info) throw invalid(IN_TOPIC, 'it is missing, and the channel leads to a partner topic');
  const { source, eventTypeInfo } = info;
  const mirrored = eventTypeInfo === undefined ? {} : { eventTypeInfo: asJson(eventTypeInfo) };
  return {
    target: { kind: 'partnerTopics', ...whereIn(IN_TOPIC, info) },
    source,
    made: (target) => ({ channel: { info: { ...shownTarget(target), source, ...mirrored } }, mirrored }),
  };
}

function destinationWish(call: EventsCall, { partnerDestinationInfo: info }: ChannelProperties): InfoWish {
  if (!info) throw invalid(IN_DESTINATION, 'it is missing, and the channel leads to a partner destination');
  const { endpointType, endpointServiceContext, properties } = info;
  const context = endpointServiceContext === undefined ? {} : { endpointServiceContext };
  return {
    target: { kind: 'partnerDestinations', ...whereIn(IN_DESTINATION, info) },
    made(target, existing) {
      const { base, shown, ...secret } = readEndpoint(call, properties, existing, IN_DESTINATION);
      return {
        channel: { info: { ...shownTarget(target), endpointType, ...context, properties: shown }, ...secret },
        mirrored: { ...context, endpointBaseUrl: base },
      };
    },
  };
}

/** After a PATCH that changes the event types of a partner topic or the endpoint of a partner destination. */
export function changedInfo(call: EventsCall, before: Channel, sent: ChannelPatch): MadeInfo {
  const { info, target } = before;
  const eventTypeInfo = sent.partnerTopicInfo?.eventTypeInfo;
  if (target.kind === 'partnerTopics') {
    const mirrored = eventTypeInfo === undefined ? {} : { eventTypeInfo: asJson(eventTypeInfo) };
    return { channel: { info: { ...info, ...mirrored } }, mirrored };
  }
  const endpoint = sent.partnerDestinationInfo?.properties;
  if (!endpoint) return { channel: { info }, mirrored: {} };
  const { base, shown, ...secret } = readEndpoint(call, endpoint, before, IN_DESTINATION);
  const properties: Json = { ...membersOf(info.properties), ...shown };
  return { channel: { info: { ...info, properties }, ...secret }, mirrored: { endpointBaseUrl: base } };
}

const membersOf = (value: Json | undefined): { readonly [name: string]: Json | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, Json>) : {};
