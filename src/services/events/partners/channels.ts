import { type AnyArmCode, mutate, resources, systemDataAfter } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { armCode } from '../jar.ts';
import { CHANNEL_BODY, CHANNEL_PATCH, checkFuture, readPartner } from './body.ts';
import { channelKeyIn, channelNotFound, PARAMS } from './channel-code.ts';
import { changedInfo, wishOf } from './channel-info.ts';
import { lockChannel, messagesOf, scheduleExpiry } from './channel-store.ts';
import { ChannelView, channelView } from './channel-view.ts';
import { writeChannel } from './channel-write.ts';
import { type Channel, channelKey, channels, targetKey } from './collections.ts';

const responses = { 200: ChannelView };
const FORM = 'channels';

export const putChannel: AnyArmCode = armCode(PARAMS, {
  body: CHANNEL_BODY.schema(),
  responses,
  async handle(call, arm) {
    const { properties } = readPartner(CHANNEL_BODY, call, arm, call.body);
    const channel = await writeChannel(call, arm, {
      form: FORM,
      namespaceName: call.params.partnerNamespaceName,
      name: call.params.channelName,
      message: properties.messageForActivation,
      expiresAt: properties.expirationTimeIfNotActivatedUtc,
      ...wishOf(call, properties),
    });
    return ok(channelView(channel, arm));
  },
});

/** Changes the expiry time, the message, and the description of the events or of the endpoint. */
export const patchChannel: AnyArmCode = armCode(PARAMS, {
  body: CHANNEL_PATCH.schema(),
  responses,
  async handle(call, arm) {
    const { properties = {} } = readPartner(CHANNEL_PATCH, call, arm, call.body);
    const { expirationTimeIfNotActivatedUtc: expiresAt, messageForActivation: message } = properties;
    const channel = await mutate(call, async (tx) => {
      const before = await lockChannel(tx, channelKeyIn(arm, call.params, FORM));
      if (!before) throw channelNotFound(arm, call.params, FORM);
      const now = call.jar.clock.now();
      if (expiresAt !== undefined) checkFuture('properties.expirationTimeIfNotActivatedUtc', expiresAt, now);
      const { channel: changed, mirrored } = changedInfo(call, before, properties);
      const after: Channel = {
        ...before,
        ...changed,
        ...(expiresAt !== undefined && { expiresAt }),
        ...(message !== undefined && { message }),
        systemData: systemDataAfter(call, before.systemData),
      };
      await tx.put(channels, channelKey(before), after);
      await changeTarget(tx, after, mirrored);
      return after;
    });
    return ok(channelView(channel, arm));
  },
});

/** Applies the change to the customer's resource, unless the customer has deleted it. */
async function changeTarget(
  tx: Tx,
  channel: Channel,
  mirrored: ReturnType<typeof changedInfo>['mirrored'],
): Promise<void> {
  const { readiness, expiresAt } = channel;
  const target = (await tx.get(resources, targetKey(channel)))?.value;
  if (readiness === 'Deleted' || target?.extra.channel !== channelKey(channel)) return;
  const isWaiting = readiness === 'NeverActivated';
  const waiting = isWaiting && { expirationTimeIfNotActivatedUtc: expiresAt, ...messagesOf(channel) };
  const properties = { ...target.properties, ...mirrored, ...waiting };
  await tx.put(resources, targetKey(channel), { ...target, properties });
  if (isWaiting) await scheduleExpiry(tx, channel);
}
