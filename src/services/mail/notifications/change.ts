import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import { baseOf } from '../api/show.ts';
import { errors } from '../errors.ts';
import { authorizationOf, releaseHeld } from './authorize.ts';
import { readExpiry } from './expiry.ts';
import { findSubscription } from './find.ts';
import { validateReceiver } from './handshake.ts';
import { checkUrl, type GivenSubscription, readBody } from './read-body.ts';
import { removeSubscription } from './remove.ts';
import type { SubscriptionCall } from './request.ts';
import { sealSecrets, secretsOf } from './secrets.ts';
import { putSubscription } from './stored.ts';
import type { Subscription } from './types.ts';
import { subscriptionView } from './view.ts';

const CHANGEABLE: ReadonlySet<string> = new Set(['expirationDateTime', 'notificationUrl']);

/** `PATCH /subscriptions/{id}`: changes the expiry, or the address, which is validated first. Also reauthorizes the subscription. */
export async function patchSubscription(call: SubscriptionCall): Promise<Answer> {
  const { jar } = call;
  const { value: before } = await findSubscription(call, jar.store, 'Update');
  const given = readBody(call.json());
  checkChanges(call, before, given);
  const { notificationUrl } = given;
  const isMoved = notificationUrl !== undefined && notificationUrl !== secretsOf(jar.vault, before)?.notificationUrl;
  if (isMoved) {
    checkUrl(jar, 'notificationUrl', notificationUrl);
    await validateReceiver(jar, before.id, 'notificationUrl', notificationUrl);
  }
  const after = await jar.store.transact(async (tx) => {
    const { value: stored } = await findSubscription(call, tx, 'Update');
    const secrets = isMoved && sealSecrets(jar.vault, { ...secretsOf(jar.vault, stored), notificationUrl });
    return authorized(call, stored, tx, {
      ...(given.expirationDateTime !== undefined && { expiresAt: expiryOf(call, stored, given.expirationDateTime) }),
      ...(secrets && { secrets }),
    });
  });
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#subscriptions/$entity`,
    ...subscriptionView(call, after, { isBeta: call.version === 'beta' }),
  });
}

/** `POST /subscriptions/{id}/reauthorize`: does not change the expiry. */
export async function reauthorizeSubscription(call: SubscriptionCall): Promise<Answer> {
  await call.jar.store.transact(async (tx) => {
    const { value } = await findSubscription(call, tx, 'Reauthorize');
    await authorized(call, value, tx, {});
  });
  return noContent();
}

/** `DELETE /subscriptions/{id}` */
export async function deleteSubscriptionOf(call: SubscriptionCall): Promise<Answer> {
  const { value } = await findSubscription(call, call.jar.store, 'Delete');
  await call.jar.store.transact((tx) => removeSubscription(tx, call.jar, value));
  return noContent();
}

async function authorized(
  { jar, caller }: SubscriptionCall,
  before: Subscription,
  tx: Parameters<typeof putSubscription>[0],
  changed: Partial<Pick<Subscription, 'expiresAt' | 'secrets'>>,
): Promise<Subscription> {
  const now = jar.clock.now();
  const after: Subscription = { ...before, ...changed, ...authorizationOf(caller, now) };
  await putSubscription(tx, after, now);
  await releaseHeld(tx, jar, before);
  return after;
}

const expiryOf = ({ jar }: SubscriptionCall, { item, resourceData }: Subscription, written: string): number =>
  readExpiry(written, { item, hasResourceData: resourceData !== undefined }, jar.clock.now(), 'Update');

/** Properties that cannot be changed are accepted if they are unchanged, since clients send back what they received. */
function checkChanges(call: SubscriptionCall, before: Subscription, given: GivenSubscription): void {
  const { jar, version } = call;
  const view = subscriptionView(call, before, { isBeta: version === 'beta' });
  for (const [name, value] of Object.entries(given)) {
    if (CHANGEABLE.has(name) || value === null || value === view[name]) continue;
    throw errors.InvalidRequest(
      { reason: `The property '${name}' of a subscription cannot be changed; create another subscription.` },
      { target: name },
    );
  }
  if (given.expirationDateTime === undefined && given.notificationUrl === undefined)
    throw errors.InvalidRequest({ reason: "The body must have 'expirationDateTime' or 'notificationUrl'." });
  if (given.expirationDateTime !== undefined)
    readExpiry(
      given.expirationDateTime,
      { item: before.item, hasResourceData: before.resourceData !== undefined },
      jar.clock.now(),
      'Update',
    );
}
