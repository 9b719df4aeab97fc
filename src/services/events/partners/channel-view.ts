import { Type } from 'typebox';
import { type ArmFacts, withPrefix } from '../../../kernel/arm/index.ts';
import type { Channel, Readiness } from './collections.ts';
import { CHANNEL_TYPE, EVENT_CHANNEL_TYPE } from './kinds.ts';
import { saysSystemData } from './view.ts';

const AnyObject = Type.Object({});

/** A channel or an event channel. */
export const ChannelView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  systemData: Type.Union([AnyObject, Type.Null()]),
  properties: Type.Object({
    provisioningState: Type.String(),
    expirationTimeIfNotActivatedUtc: Type.Optional(Type.String()),
    channelType: Type.Optional(Type.String()),
    readinessState: Type.Optional(Type.String()),
    partnerTopicReadinessState: Type.Optional(Type.String()),
  }),
});

export const ChannelsView = Type.Object({
  value: Type.Array(ChannelView),
  nextLink: Type.Optional(Type.String()),
});

/** Readiness words of event channels; channels know only two, and show a deletion by their provisioning state. */
const OF_EVENT_CHANNELS: Readonly<Record<Readiness, string>> = {
  NeverActivated: 'NotActivatedByUserYet',
  Activated: 'ActivatedByUser',
  Deactivated: 'DeactivatedByUser',
  Deleted: 'DeletedByUser',
};

const IDLE = {
  partnerTopics: 'IdleDueToMirroredPartnerTopicDeletion',
  partnerDestinations: 'IdleDueToMirroredPartnerDestinationDeletion',
} as const;

/** `isNews`: answer to a write, without the defaults that the service fills in later. */
export function channelView(channel: Channel, arm: ArmFacts, isNews = false): Record<string, unknown> {
  const { id, name, form, systemData, target, readiness } = channel;
  const provisioningState = readiness === 'Deleted' ? IDLE[target.kind] : 'Succeeded';
  return {
    properties:
      form === 'channels' ? ofChannel(channel, provisioningState) : ofEventChannel(channel, provisioningState, isNews),
    systemData: saysSystemData(arm) ? systemData : null,
    id: withPrefix(id, arm.prefix),
    name,
    type: withPrefix(form === 'channels' ? CHANNEL_TYPE : EVENT_CHANNEL_TYPE, arm.prefix),
  };
}

/** Members about activation disappear when the customer has decided. */
function ofChannel(channel: Channel, provisioningState: string): Record<string, unknown> {
  const { target, info, message, readiness, expiresAt } = channel;
  const isTopic = target.kind === 'partnerTopics';
  const isWaiting = readiness === 'NeverActivated';
  return {
    channelType: isTopic ? 'PartnerTopic' : 'PartnerDestination',
    [isTopic ? 'partnerTopicInfo' : 'partnerDestinationInfo']: info,
    ...(isWaiting && { messageForActivation: message }),
    provisioningState,
    readinessState: isWaiting ? 'NeverActivated' : 'Activated',
    ...(isWaiting && { expirationTimeIfNotActivatedUtc: expiresAt }),
  };
}

function ofEventChannel(channel: Channel, provisioningState: string, isNews: boolean): Record<string, unknown> {
  const { source, info, message, filter, readiness, expiresAt } = channel;
  return {
    source: { source },
    destination: info,
    provisioningState,
    partnerTopicReadinessState: OF_EVENT_CHANNELS[readiness],
    expirationTimeIfNotActivatedUtc: expiresAt,
    ...((filter || !isNews) && { filter: filter ?? {} }),
    ...(message !== undefined && { partnerTopicFriendlyDescription: message }),
  };
}
