import type { ArmFacts } from '../../../kernel/arm/index.ts';
import { mutate, originOf, type Resource, systemDataAfter } from '../../../kernel/arm/index.ts';
import { allOf, eq, type Json, type Tx } from '../../../kernel/store/index.ts';
import { eventErrors } from '../errors.ts';
import type { EventsCall } from '../jar.ts';
import { invalid } from '../topics/body.ts';
import { findIn } from '../topics/find.ts';
import { requireAuthorization } from './authorization.ts';
import { checkFuture } from './body.ts';
import { messagesOf, scheduleExpiry } from './channel-store.ts';
import { type Channel, type ChannelTarget, channels } from './collections.ts';
import { partnerErrors } from './errors.ts';
import { PARTNER_NAMESPACE } from './kinds.ts';
import { CHANNELS } from './limits.ts';
import { lockTarget } from './lock.ts';
import { badName, CHANNEL_NAME, CHANNEL_NAME_RULE } from './names.ts';
import { findRegistration } from './namespace.ts';
import { resolveChannelTarget, typeWord, type WantedTarget, writeTarget } from './target.ts';

/** Parsed PUT of a channel or of an event channel. */
export interface ChannelRequest {
  readonly form: Channel['form'];
  readonly namespaceName: string;
  readonly name: string;
  readonly target: Omit<WantedTarget, 'subscriptionId' | 'resourceGroup'> & {
    readonly subscriptionId?: string | undefined;
    readonly resourceGroup?: string | undefined;
  };
  readonly source?: string;
  readonly filter?: Channel['filter'];
  readonly message?: string | undefined;
  readonly expiresAt?: string | undefined;
  made(target: ChannelTarget, existing: Channel | undefined): MadeInfo;
}

export interface MadeInfo {
  /** What the channel shows of its target, and the address of a partner destination. */
  readonly channel: Pick<Channel, 'info' | 'sealed' | 'client'>;
  /** `properties` of the target resource, beyond those that all targets have. */
  readonly mirrored: Readonly<Record<string, Json | undefined>>;
}

const LASTS_MS = 7 * 24 * 3_600_000;

/** Handles a PUT in one transaction: writes the channel and its target in the customer's resource group. */
export async function writeChannel(call: EventsCall, arm: ArmFacts, wish: ChannelRequest): Promise<Channel> {
  const { name, form, source } = wish;
  const word = form === 'channels' ? 'channel' : 'event channel';
  if (!CHANNEL_NAME.test(name)) throw badName(word, CHANNEL_NAME_RULE)(name);
  return mutate(call, async (tx) => {
    const now = call.jar.clock.now();
    const { key: namespace, resource: parent } = await findIn(tx, arm, PARTNER_NAMESPACE, wish.namespaceName, 'share');
    const registration = await findRegistration(
      tx,
      call,
      String(parent.properties.partnerRegistrationFullyQualifiedId),
    );
    const { subscriptionId = parent.subscriptionId, resourceGroup = parent.resourceGroup } = wish.target;
    const target = await resolveChannelTarget(tx, call, { ...wish.target, subscriptionId, resourceGroup });
    // Event channels are older than partner configurations and need no authorization.
    if (form === 'channels') await requireAuthorization(tx, registration, target, now);
    const id = `${parent.id}/${form}/${name}`;
    if (source !== undefined) await requireOwnSource(tx, parent, namespace, source, id);
    await lockTarget(tx, target.id.toLowerCase());
    const existing = await lockByName(tx, id.toLowerCase());
    if (existing) checkSame(existing, target, source);
    else await takeChannel(tx, call, parent, namespace);
    if (wish.expiresAt !== undefined) checkFuture('properties.expirationTimeIfNotActivatedUtc', wish.expiresAt, now);
    const isNew = !existing || existing.readiness === 'Deleted';
    const kept = isNew ? undefined : existing;
    const made = wish.made(target, existing);
    const message = wish.message ?? kept?.message ?? messageFor(wish, registration, target, now);
    const channel: Channel = {
      id: existing?.id ?? id,
      name: existing?.name ?? name,
      form,
      namespace,
      target: existing?.target ?? target,
      ...(source !== undefined && { source }),
      ...made.channel,
      ...(wish.filter && { filter: wish.filter }),
      ...(message !== undefined && { message }),
      expiresAt: wish.expiresAt ?? kept?.expiresAt ?? new Date(now + LASTS_MS).toISOString(),
      readiness: kept?.readiness ?? 'NeverActivated',
      systemData: systemDataAfter(call, existing?.systemData),
      createdAt: existing?.createdAt ?? now,
    };
    await tx.put(channels, id.toLowerCase(), channel);
    await mirror(tx, call, channel, {
      registration,
      location: parent.location,
      mirrored: made.mirrored,
    });
    return channel;
  });
}

async function lockByName(tx: Tx, key: string): Promise<Channel | undefined> {
  const stored = await tx.get(channels, key);
  if (stored) return stored.value;
  await tx.lock(`${channels.name}:${key}`);
  return (await tx.get(channels, key))?.value;
}

/** The target and source cannot change: the customer agreed to them. */
function checkSame(existing: Channel, target: ChannelTarget, source: string | undefined): void {
  if (existing.target.id.toLowerCase() !== target.id.toLowerCase())
    throw invalid('properties', `the channel leads to '${existing.target.id}', which cannot be changed`);
  if (existing.source !== source) throw invalid('properties', `its source '${existing.source}' cannot be changed`);
}

async function requireOwnSource(
  tx: Tx,
  parent: Resource,
  namespace: string,
  source: string,
  id: string,
): Promise<void> {
  if (parent.properties.partnerTopicRoutingMode === 'ChannelNameHeader') return;
  await tx.lock(`${channels.name}:${namespace} ${source}`);
  const filter = allOf(eq('namespace', namespace), eq('source', source));
  const { items } = await tx.query(channels, { filter, limit: 2 });
  const other = items.find(({ key }) => key !== id.toLowerCase());
  if (other) throw partnerErrors.SourceAlreadyRouted({ channel: other.value.name, source });
}

async function takeChannel(tx: Tx, { jar }: EventsCall, parent: Resource, namespace: string): Promise<void> {
  const { allowed, maximum } = await jar.limits.takeQuota(tx, { limit: CHANNELS, scope: [namespace] });
  if (allowed) return;
  const place = `of the partner namespace '${parent.name}'`;
  throw eventErrors.QuotaReached({ limit: maximum, unit: 'channels', place });
}

function messageFor(
  { form, source }: ChannelRequest,
  registration: Resource,
  target: ChannelTarget,
  now: number,
): string | undefined {
  if (form === 'eventChannels') return undefined;
  const partner = registration.properties.partnerName ?? registration.name;
  const ofSource = source === undefined ? '' : ` for the source '${source}'`;
  return `The partner '${partner}' created the ${typeWord(target)} '${target.name}'${ofSource} at ${new Date(now).toISOString()}. Activate it to use it.`;
}

interface Mirrored extends Pick<MadeInfo, 'mirrored'> {
  readonly registration: Resource;
  readonly location: string | undefined;
}

/** Writes the target in the customer's resource group; the customer's decisions about it are kept. */
async function mirror(
  tx: Tx,
  call: EventsCall,
  channel: Channel,
  { registration, location, mirrored }: Mirrored,
): Promise<void> {
  const { target, source, readiness, expiresAt, systemData } = channel;
  const isWaiting = readiness === 'NeverActivated';
  await writeTarget(tx, call.jar, originOf(call), target, {
    channel: channel.id.toLowerCase(),
    ...(location !== undefined && { location }),
    properties: {
      partnerRegistrationImmutableId: registration.properties.partnerRegistrationImmutableId,
      ...(source !== undefined && { source }),
      ...(isWaiting && { expirationTimeIfNotActivatedUtc: expiresAt }),
      provisioningState: 'Succeeded',
      activationState: readiness,
      ...mirrored,
      ...(isWaiting && messagesOf(channel)),
    },
    extra: { systemData },
  });
  if (isWaiting) await scheduleExpiry(tx, channel);
}
