import type { AnyArmCode } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';
import { OPERATOR_NAMES } from '../matching/operators.ts';
import { filterMistakes, normalFilter } from '../matching/validate.ts';
import { invalid } from '../topics/body.ts';
import { EVENT_CHANNEL_BODY, readPartner } from './body.ts';
import { PARAMS } from './channel-code.ts';
import { ChannelView, channelView } from './channel-view.ts';
import { writeChannel } from './channel-write.ts';
import type { Channel } from './collections.ts';

const AT = 'properties.destination';

/** Event channels, the predecessors of channels: they lead to a partner topic and may filter its events. */
export const putEventChannel: AnyArmCode = armCode(PARAMS, {
  body: EVENT_CHANNEL_BODY.schema(),
  responses: { 200: ChannelView },
  async handle(call, arm) {
    const { properties } = readPartner(EVENT_CHANNEL_BODY, call, arm, call.body);
    const { source, destination, expirationTimeIfNotActivatedUtc: expiresAt, filter } = properties;
    const { partnerTopicName: name, azureSubscriptionId, resourceGroup } = destination;
    const channel = await writeChannel(call, arm, {
      form: 'eventChannels',
      namespaceName: call.params.partnerNamespaceName,
      name: call.params.channelName,
      target: {
        kind: 'partnerTopics',
        name,
        subscriptionId: azureSubscriptionId,
        resourceGroup,
        at: { subscriptionId: `${AT}.azureSubscriptionId`, resourceGroup: `${AT}.resourceGroup` },
      },
      source: source.source,
      ...(filter !== undefined && { filter: readFilter(filter) }),
      message: properties.partnerTopicFriendlyDescription,
      expiresAt,
      made: ({ subscriptionId, resourceGroup: group, name: partnerTopicName }) => ({
        channel: { info: { azureSubscriptionId: subscriptionId, resourceGroup: group, partnerTopicName } },
        mirrored: {},
      }),
    });
    return ok(channelView(channel, arm, true));
  },
});

/** Reads the advanced filters of an event subscription; other members of its filter are not allowed. */
function readFilter(given: unknown): NonNullable<Channel['filter']> {
  const [mistake] = filterMistakes(given, 'properties.filter', OPERATOR_NAMES);
  if (mistake) throw invalid(mistake.target, mistake.message);
  const { enableAdvancedFilteringOnArrays, advancedFilters } = normalFilter(given);
  return {
    ...(enableAdvancedFilteringOnArrays !== undefined && { enableAdvancedFilteringOnArrays }),
    ...(advancedFilters && { advancedFilters }),
  };
}
