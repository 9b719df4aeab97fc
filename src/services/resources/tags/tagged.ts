import {
  type ArmCall,
  type ArmFacts,
  gatewayErrors,
  type Resource,
  resourceGroups,
  resources,
  type Subscription,
  subscriptions,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { gatewayApiErrors } from '../errors.ts';
import { type Place, placeOf, storedId } from '../scopes.ts';

export type Tags = Record<string, string>;

type TagsCall = ArmCall<{ readonly scope: string }, ArmCall['query'], unknown>;

export interface Tagged {
  /** As stored, with the canonical provider prefix. */
  readonly id: string;
  readonly tags: Tags;
}

/** The tags at the scope of a call. */
export async function readTags(call: TagsCall, arm: ArmFacts, reader: Pick<Reader, 'get'>): Promise<Tagged> {
  return (await held(call, arm, reader)).tagged;
}

/** Changes the tags where they are stored: in the document of the subscription, the group or the resource. */
export async function writeTags(call: TagsCall, arm: ArmFacts, tx: Tx, change: (tags: Tags) => Tags): Promise<Tagged> {
  const { tagged, write } = await held(call, arm, tx);
  const tags = change(tagged.tags);
  await write(tx, tags);
  return { ...tagged, tags };
}

interface Held {
  readonly tagged: Tagged;
  write(tx: Tx, tags: Tags): Promise<unknown>;
}

async function held(call: TagsCall, arm: ArmFacts, reader: Pick<Reader, 'get'>): Promise<Held> {
  const place = await placeOf(call, arm, reader);
  const id = storedId(place, arm);
  if (place.kind === 'subscription') return ofSubscription(arm, reader, id);
  return place.kind === 'group' ? ofGroup(arm, reader, place, id) : ofResource(call, reader, place);
}

async function ofSubscription(arm: ArmFacts, reader: Pick<Reader, 'get'>, id: string): Promise<Held> {
  const { subscriptionId } = arm.subscription as Subscription;
  const key = subscriptionId.toLowerCase();
  const found = (await reader.get(subscriptions, key))?.value;
  if (!found) throw gatewayErrors.SubscriptionNotFound({ subscription: subscriptionId });
  return { tagged: { id, tags: found.tags }, write: (tx, tags) => tx.put(subscriptions, key, { ...found, tags }) };
}

async function ofGroup(arm: ArmFacts, reader: Pick<Reader, 'get'>, { key }: Place, id: string): Promise<Held> {
  const group = arm.group?.name ?? '';
  const found = (await reader.get(resourceGroups, key))?.value;
  if (!found) throw gatewayErrors.ResourceGroupNotFound({ group });
  return {
    tagged: { id, tags: found.tags },
    async write(tx, tags) {
      if (found.provisioningState === 'Deleting') throw gatewayErrors.ResourceGroupBeingDeleted({ group });
      await tx.put(resourceGroups, key, { ...found, tags, tagged: true });
    },
  };
}

async function ofResource(
  call: TagsCall,
  reader: Pick<Reader, 'get'>,
  { key, id, type, isChild }: Place,
): Promise<Held> {
  const found = isChild ? undefined : (await reader.get(resources, key))?.value;
  if (!found || !canHaveTags(call, found)) throw gatewayApiErrors.TagsNotSupportedForResource({ id, type });
  const { extra } = found;
  return {
    tagged: { id: found.id, tags: found.tags },
    write(tx, tags) {
      const systemData = extra.systemData && { systemData: systemDataAfter(call, extra.systemData) };
      const changedAt = call.jar.clock.now();
      const updated: Resource = { ...found, tags, extra: { ...extra, ...systemData }, changedAt };
      return tx.put(resources, key, updated);
    },
  };
}

/** Types that no service declares can have tags. */
function canHaveTags({ jar }: TagsCall, { type }: Resource): boolean {
  const wanted = type.toLowerCase();
  const declared = jar.providers.flatMap(({ types }) => types).find((each) => each.type.toLowerCase() === wanted);
  return declared?.tracked ?? true;
}
