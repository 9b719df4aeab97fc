import { type Answer, created } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { readPreferences } from '../api/preferences.ts';
import { baseOf } from '../api/show.ts';
import { subscriptions } from '../collections.ts';
import { errors } from '../errors.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { authorizationOf } from './authorize.ts';
import { readCertificate } from './certificate.ts';
import { readExpiry } from './expiry.ts';
import { validateReceiver } from './handshake.ts';
import { SUBSCRIPTIONS } from './limits.ts';
import { checkUrl, type GivenSubscription, invalid, readBody, readChangeTypes, required } from './read-body.ts';
import type { SubscriptionCall } from './request.ts';
import { readResource } from './resource.ts';
import { sealSecrets } from './secrets.ts';
import { createSubscription } from './stored.ts';
import type { ResourceData, Subscription, SubscriptionSecrets } from './types.ts';
import { subscriptionView } from './view.ts';

/** `POST /subscriptions` */
export async function postSubscription(call: SubscriptionCall): Promise<Answer> {
  const { jar, caller } = call;
  const given = readBody(call.json());
  const secrets = readSecrets(call, given);
  const changeType = required(given, 'changeType');
  const changeTypes = readChangeTypes(changeType);
  const resource = required(given, 'resource');
  const expiry = required(given, 'expirationDateTime');
  const resourceData = readResourceData(given);
  const { target, mailbox, isBasic } = await readResource(jar, caller, resource, resourceData !== undefined);
  const now = jar.clock.now();
  const expiresAt = readExpiry(expiry, { ...target, hasResourceData: resourceData !== undefined }, now, 'Create');
  const subscription: Subscription = {
    ...target,
    id: uuid(),
    tenantId: caller.tenantId,
    applicationId: caller.applicationId,
    creatorId: caller.objectId,
    isDelegated: caller.kind === 'user',
    resource,
    changeType,
    changeTypes,
    secrets: sealSecrets(jar.vault, secrets),
    hasLifecycle: secrets.lifecycleNotificationUrl !== undefined,
    ...(resourceData && { resourceData }),
    latestSupportedTlsVersion: given.latestSupportedTlsVersion ?? 'v1_2',
    ...(given.notificationUrlAppId && { notificationUrlAppId: given.notificationUrlAppId }),
    immutableIds: readPreferences(call.headers.prefer, call.method).immutableIds,
    isBasic,
    version: call.version,
    origin: call.origin,
    createdAt: now,
    expiresAt,
    ...authorizationOf(caller, now),
  };
  await checkBeforeValidation(call, subscription);
  await validateAddresses(call, subscription.id, secrets);
  await changeMailbox(jar, mailbox, async (writer) => {
    // Checked again: the same subscription may have been created while the receiver was validated.
    await checkDuplicate(writer.tx, subscription, now);
    const { tooMany } = await createSubscription(writer, subscription);
    if (tooMany !== undefined) throw full(tooMany);
  });
  const body = {
    '@odata.context': `${baseOf(call)}/$metadata#subscriptions/$entity`,
    ...subscriptionView(call, subscription, { isNew: true, isBeta: call.version === 'beta' }),
  };
  return created(body, { location: `${baseOf(call)}/subscriptions/${subscription.id}` });
}

function readSecrets({ jar }: SubscriptionCall, given: GivenSubscription): SubscriptionSecrets {
  const notificationUrl = required(given, 'notificationUrl');
  checkUrl(jar, 'notificationUrl', notificationUrl);
  const { lifecycleNotificationUrl, clientState } = given;
  if (lifecycleNotificationUrl) checkUrl(jar, 'lifecycleNotificationUrl', lifecycleNotificationUrl);
  return {
    notificationUrl,
    ...(lifecycleNotificationUrl && { lifecycleNotificationUrl }),
    ...(typeof clientState === 'string' && { clientState }),
  };
}

function readResourceData(given: GivenSubscription): ResourceData | undefined {
  const { includeResourceData, encryptionCertificate, encryptionCertificateId } = given;
  if (includeResourceData !== true) return undefined;
  if (!encryptionCertificate) throw invalid('encryptionCertificate', "it is required with 'includeResourceData'");
  if (!encryptionCertificateId) throw invalid('encryptionCertificateId', "it is required with 'includeResourceData'");
  return { certificate: readCertificate(encryptionCertificate), certificateId: encryptionCertificateId };
}

/** Validates both addresses, even if they are the same. */
async function validateAddresses({ jar }: SubscriptionCall, id: string, secrets: SubscriptionSecrets): Promise<void> {
  await validateReceiver(jar, id, 'notificationUrl', secrets.notificationUrl);
  const { lifecycleNotificationUrl: lifecycle } = secrets;
  if (lifecycle !== undefined) await validateReceiver(jar, id, 'lifecycleNotificationUrl', lifecycle);
}

/**
 * Checks the quota and duplicates before the receiver is asked, so that it does not accept a subscription that cannot be created. Both are
 * checked again when the subscription is written.
 */
async function checkBeforeValidation({ jar }: SubscriptionCall, subscription: Subscription): Promise<void> {
  const scope = [subscription.mailbox];
  const { used, maximum } = await jar.limits.quotaStanding(SUBSCRIPTIONS, scope);
  if (used >= maximum && jar.limits.overrides.of(SUBSCRIPTIONS, scope).mode === 'enforced') throw full(maximum);
  await checkDuplicate(jar.store, subscription, subscription.createdAt);
}

async function checkDuplicate(reader: Pick<Tx, 'query'>, subscription: Subscription, now: number): Promise<void> {
  const own = identityOf(subscription);
  const filter = eq('mailbox', subscription.mailbox);
  const same = (await readAll(reader, subscriptions, { filter })).find(
    ({ value }) => value.expiresAt > now && identityOf(value) === own,
  );
  if (same) throw errors.Conflict({ id: same.value.id });
}

/** The properties that make a subscription a duplicate, within one application and one user. */
const identityOf = ({
  applicationId,
  creatorId,
  item,
  folder,
  filter,
  select,
  expand,
  changeTypes,
}: Subscription): string =>
  JSON.stringify([
    applicationId.toLowerCase(),
    creatorId.toLowerCase(),
    item,
    folder,
    filter,
    select,
    expand,
    changeTypes,
  ]);

const full = (maximum: number): Error =>
  errors.ExtensionError__Forbidden({
    operation: 'Create',
    reason: `The mailbox already has ${maximum} active subscriptions, which is the maximum`,
  });
