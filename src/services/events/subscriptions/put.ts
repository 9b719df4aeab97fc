import {
  type ArmFacts,
  beginOperation,
  type Operation,
  operationHeaders,
  originOf,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { type Answer, created } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { EventSubscription, Pending } from '../collections.ts';
import type { Definition } from '../definition.ts';
import { httpsOrigin } from '../handshake/address.ts';
import { askEndpoint, handshakeKind } from '../handshake/messages.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { readableSecrets, secretsOf } from '../secrets.ts';
import { NAMESPACE } from '../versions.ts';
import { followManagement } from './management.ts';
import { type Owner, ownerOf, PARAMS, type Place, placeOf, pollingOf } from './place.ts';
import { takeSubscription } from './quotas.ts';
import { readRequest } from './read/request.ts';
import { PatchBody, PutBody, SubscriptionView } from './schema.ts';
import { lockParent, type Parent } from './scope.ts';
import { cancelPending, lockSubscription, type Waiting, writeSubscription } from './transitions.ts';
import { putView, subscriptionView, writtenView } from './view.ts';
import { DEADLINE, deadlineItem, SETTLE, settleItem, VALIDATION_MS } from './work-items.ts';

const responses = { 201: SubscriptionView };

export const put = armCode(PARAMS, {
  body: PutBody,
  responses,
  handle: (call, arm) => write(call, arm, 'put'),
});

export const patch = armCode(PARAMS, {
  body: PatchBody,
  responses,
  handle: (call, arm) => write(call, arm, 'patch'),
});

async function write(call: EventsCall, arm: ArmFacts, how: 'put' | 'patch'): Promise<Answer> {
  const { jar } = call;
  const place = placeOf(call, arm);
  const { subscription, operation, sentAttributes } = await jar.store.transact(async (tx) => {
    const parent = await lockParent(tx, jar, place, arm);
    const existing = await lockSubscription(tx, place.key);
    const { definition, sentAttributes } = readRequest({ call, place, parent, existing, how });
    return { ...(await begin(tx, call, arm, { place, parent, existing, definition })), sentAttributes };
  });
  // From here on, ending the operation writes the change record.
  arm.recorded = true;
  const view =
    how === 'put'
      ? putView(call, subscription, { sent: call.body, sentAttributes })
      : subscriptionView(call, subscription);
  return created(writtenView(call, view, subscription), operationHeaders(call, operation, 'status', pollingOf(place)));
}

interface Wish {
  readonly place: Place;
  readonly parent: Parent;
  readonly existing: EventSubscription | undefined;
  readonly definition: Definition;
}

interface Begun {
  readonly subscription: Waiting;
  readonly operation: Operation;
}

/** Stores the pending definition, replacing an earlier one, and starts the handshake if one is needed. */
async function begin(
  tx: Tx,
  call: EventsCall,
  arm: ArmFacts,
  { place, parent, existing, definition }: Wish,
): Promise<Begun> {
  const { jar } = call;
  const now = jar.clock.now();
  const owner = ownerOf(arm);
  const origin = originOf(call);
  const about = { ...owner, namespace: NAMESPACE, location: parent.location, origin };
  const operation = await beginOperation(tx, about, now);
  const asked = needsHandshake(call, definition, existing?.live);
  const code = uuid().toUpperCase();
  const pending: Pending = {
    definition,
    operation: operation.id,
    origin,
    ...(asked && { validation: { code } }),
    since: now,
  };
  const subscription = {
    ...(existing ?? newSubscription(place, parent, owner, now)),
    provisioningState: existing?.live ? 'Updating' : 'Creating',
    prefix: arm.prefix,
    pending,
    systemData: systemDataAfter(call, existing?.systemData),
    changedAt: now,
  } as const;
  if (existing?.pending)
    await cancelPending(tx, jar, { ...existing, pending: existing.pending }, 'A newer request replaced it.');
  if (!existing) await takeSubscription(tx, jar, subscription);
  await writeSubscription(tx, subscription, existing ? 0 : 1);
  if (!existing) await followManagement(tx, jar, subscription);
  const { key } = place;
  const payload = { key, operation: operation.id };
  if (asked) {
    const { apiVersion } = arm;
    await askEndpoint(tx, jar, { subscription, code, origin: httpsOrigin(call), apiVersion });
    await tx.schedule(DEADLINE.at(now + VALIDATION_MS, payload, deadlineItem(key)));
  } else await tx.schedule(SETTLE.at(now, payload, settleItem(key)));
  return { subscription, operation };
}

function newSubscription(place: Place, parent: Parent, owner: Owner, now: number) {
  const { name, between, type } = place;
  const { id, resourceGroup, topicType, location } = parent;
  return {
    id: `${id}${between}${name}`,
    name,
    type,
    topic: id,
    ...owner,
    ...(resourceGroup !== undefined && { resourceGroup }),
    topicType,
    location,
    createdAt: now,
  };
}

/** An endpoint that has already agreed is not asked again, unless the address or the kind of handshake changes. */
function needsHandshake({ jar }: EventsCall, wanted: Definition, live: Definition | undefined): boolean {
  const kind = handshakeKind(wanted);
  if (kind === undefined) return false;
  if (!live || handshakeKind(live) !== kind) return true;
  return secretsOf(jar.vault, wanted).endpointUrl !== readableSecrets(jar.vault, live).endpointUrl;
}
