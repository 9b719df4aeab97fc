import { type Resource, resourceKey, resources } from '../../../kernel/arm/index.ts';
import { failureOf, type Reply, replyOf } from '../../../kernel/delivery/index.ts';
import { Calls } from '../../../kernel/outbound/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import type { ResourceMessage } from '../destinations/messages.ts';
import { abandoned, failed } from '../destinations/replies.ts';
import type { Target } from '../destinations/targets.ts';
import type { EventsJar } from '../jar.ts';
import { type Channel, channels } from './collections.ts';

const LONGEST_ANSWER_BYTES = 16 * 1024;
/** Upper bound only: the delivery's signal ends the call sooner, by the policy's timeout. */
const LONGEST_CALL_MS = 600_000;

/** Sends to the endpoint that the partner set for the channel, once the customer has activated the partner destination. */
export async function sendToPartner(
  { headers, body }: ResourceMessage,
  { entityId, name }: Target,
  jar: EventsJar,
  signal: AbortSignal,
): Promise<Reply> {
  const key = resourceKey(entityId, jar.config.namespace);
  const resource = (await readCached(jar.store, resources, key))?.value;
  const channel = resource && (await channelOf(jar, resource));
  const url = channel?.sealed === undefined ? undefined : jar.vault.tryOpen(channel.sealed);
  if (!channel || url === undefined)
    return failed('NotFound', `there is no partner destination '${name}', or no channel leads to it`);
  if (channel.readiness !== 'Activated')
    return failed('Disabled', `the partner destination '${name}' is not activated`);
  const authorization = await authorizationFor(jar, channel);
  const request = { url, headers: { ...headers, ...authorization }, body };
  const limits = { maxBodyBytes: LONGEST_ANSWER_BYTES, timeoutMs: LONGEST_CALL_MS };
  try {
    return await Calls.during(signal, async (calls) =>
      replyOf(await jar.outbound.send({ ...request, ...limits, calls })),
    );
  } catch (error) {
    return signal.aborted ? abandoned() : failureOf(error);
  }
}

async function channelOf({ store }: EventsJar, { extra }: Resource): Promise<Channel | undefined> {
  return typeof extra.channel === 'string' ? (await readCached(store, channels, extra.channel))?.value : undefined;
}

/** A token of the directory that the partner named. */
async function authorizationFor({ directoryTokens }: EventsJar, { client }: Channel): Promise<Record<string, string>> {
  if (!client) return {};
  return { authorization: `Bearer ${await directoryTokens.get(client.tenantId, client.audience)}` };
}
