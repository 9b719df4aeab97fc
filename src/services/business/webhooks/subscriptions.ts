import { withoutSecrets } from '../../../kernel/delivery/index.ts';
import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { contextOf, readQueryOptions } from '../../../kernel/odata/index.ts';
import type { Reader, Stored } from '../../../kernel/store/index.ts';
import { wantsNoContent } from '../api/create.ts';
import { checkMatch, optionalMatch, requiredMatch } from '../api/etag.ts';
import { refusingQuery } from '../api/refuse.ts';
import type { BusinessRequest } from '../api/request.ts';
import type { Session } from '../api/session.ts';
import { errors } from '../errors.ts';
import { followAddress, isSameTarget } from '../notify/follow-address.ts';
import type { Company } from '../records/company.ts';
import { checkPermission, permissionFor } from '../users/permissions.ts';
import { type Subscription, type SubscriptionTarget, subscriptionKey, subscriptions } from './collection.ts';
import { isFlow } from './flows.ts';
import { performHandshake } from './handshake.ts';
import { countSubscriptions, listSubscriptions, setName } from './list.ts';
import { checkQuota, takeSubscription } from './quota.ts';
import { checkUrl, readBody, required } from './read-body.ts';
import { removeSubscription } from './remove.ts';
import { resolveResource } from './resource.ts';
import { addressOf, sealSecrets } from './secrets.ts';
import { presenter } from './view.ts';
import { putSubscription } from './write.ts';

/** The subscriptions that a path names: all, those of a company, or one by its key. */
export interface SubscriptionsAddress {
  readonly key?: string;
  readonly company?: Company;
  readonly isCount?: boolean;
}

const SUBSCRIPTION_TABLE = { caption: 'Webhook Subscription' };
const OF_THE_SET = 'GET, POST';
const OF_ONE = 'GET, PATCH, DELETE';

/** Handles every request to `subscriptions`, at the root of an API or below a company. */
export function handleSubscriptions(
  session: Session,
  request: BusinessRequest,
  address: SubscriptionsAddress,
): Promise<Answer> {
  const { key, company, isCount = false } = address;
  checkPermission(session.actor, SUBSCRIPTION_TABLE, permissionFor(request.method));
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (key === undefined) {
    if (method === 'GET' && isCount) return countSubscriptions(session, request, company);
    if (method === 'GET') return listSubscriptions(session, request, company);
    if (method === 'POST' && !isCount) return create(session, request, company);
    throw notAllowed(request, isCount ? 'GET' : OF_THE_SET);
  }
  if (method === 'GET') return read(session, request, key, company);
  if (method === 'PATCH') return change(session, request, key, company);
  if (method === 'DELETE') return remove(session, request, key, company);
  throw notAllowed(request, OF_ONE);
}

async function read(session: Session, request: BusinessRequest, id: string, company?: Company): Promise<Answer> {
  const show = await shower(session, request, company);
  return ok(show(await find(session.reader, session, id, company)));
}

async function create(session: Session, request: BusinessRequest, company?: Company): Promise<Answer> {
  refuseShared(session);
  const { jar, tenantId, actor } = session;
  const show = await shower(session, request, company);
  const given = readBody(request.body);
  const notificationUrl = required('notificationUrl', given.notificationUrl);
  const written = required('resource', given.resource);
  const { clientState = '' } = given;
  checkUrl(jar, notificationUrl);
  const { resource, target } = await resolveResource(session, written, company);
  await checkQuota(jar, tenantId);
  const subscriptionId = uuid().replaceAll('-', '');
  await performHandshake(session, { key: subscriptionKey(tenantId, subscriptionId), notificationUrl });
  const stored = await session.write(companyOf(tenantId, target), async ({ tx }) => {
    await takeSubscription(tx, jar, tenantId);
    const made = {
      subscriptionId,
      tenantId,
      resource,
      target,
      ...addressed(session, target, { notificationUrl, clientState }),
      userId: actor.objectId,
      modifiedBy: actor.objectId,
      createdAt: jar.clock.now(),
      ...(isFlow(request.headers) && { flow: true }),
    };
    return putSubscription(tx, jar, made, 'subscription-created');
  });
  const location = `${session.base}/${setName(company)}('${subscriptionId}')`;
  if (wantsNoContent(request)) return noContent({ location, 'preference-applied': 'return-no-content' });
  return created(show(stored), { location });
}

async function change(session: Session, request: BusinessRequest, id: string, company?: Company): Promise<Answer> {
  refuseShared(session);
  const { jar, tenantId, actor } = session;
  const show = await shower(session, request, company);
  const match = requiredMatch(request.headers);
  const before = await find(session.reader, session, id, company);
  checkMatch(match, before.etag);
  const given = readBody(request.body);
  const known = jar.secrets.readable(before.value);
  const notificationUrl = required('notificationUrl', given.notificationUrl ?? known?.notificationUrl);
  const written = required('resource', given.resource ?? before.value.resource);
  const { clientState = known?.clientState ?? '' } = given;
  checkUrl(jar, notificationUrl);
  // An unchanged resource belongs to the API that created the subscription, whichever API renews it.
  const own = written === before.value.resource ? jar.model.api(before.value.target.route) : undefined;
  const { resource, target } = await resolveResource({ ...session, api: own ?? session.api }, written, company);
  await performHandshake(session, { key: before.key, notificationUrl });
  const stored = await session.write(companyOf(tenantId, target), async ({ tx }) => {
    // The subscription may have been changed or deleted during the handshake.
    const now = await find(tx, session, id, company);
    if (now.etag !== before.etag) throw errors.Request_EntityChanged();
    const { modifiedAt: _modifiedAt, expiresAt: _expiresAt, ...kept } = now.value;
    const secrets = addressed(session, target, { notificationUrl, clientState });
    const retargeted = (kept.retargeted ?? 0) + (isSameTarget(kept.target, target) ? 0 : 1);
    const renewed = { ...kept, resource, target, ...secrets, retargeted, modifiedBy: actor.objectId };
    const after = await putSubscription(tx, jar, renewed, 'subscription-renewed');
    await followAddress(tx, jar, now.value, after.value);
    return after;
  });
  return ok(show(stored));
}

async function remove(session: Session, request: BusinessRequest, id: string, company?: Company): Promise<Answer> {
  const { jar, tenantId, actor } = session;
  const match = optionalMatch(request.headers);
  const { value } = await find(session.reader, session, id, company);
  await session.write(companyOf(tenantId, value.target), async ({ tx }) => {
    const stored = await find(tx, session, id, company);
    checkMatch(match, stored.etag);
    const detail = `It was deleted by '${actor.name}'.`;
    await removeSubscription(tx, jar, stored, { reason: 'deleted', detail, at: jar.clock.now(), by: actor.objectId });
  });
  return noContent();
}

const SUBSCRIPTION_ID = /^[0-9a-f]{32}$/i;

/** The live subscription with this id; throws if it does not exist or belongs to another tenant or company. */
async function find(
  reader: Reader,
  { tenantId, jar }: Session,
  id: string,
  company: Company | undefined,
): Promise<Stored<Subscription>> {
  const stored = SUBSCRIPTION_ID.test(id) ? await reader.get(subscriptions, subscriptionKey(tenantId, id)) : undefined;
  const isThere =
    stored && stored.value.expiresAt > jar.clock.now() && (!company || company.key === stored.value.target.companyKey);
  if (isThere) return stored;
  throw errors.Internal_RecordNotFound__Subscription({ id: id.slice(0, 150) });
}

/** Validates `$select` before anything is written. */
function shower(session: Session, request: BusinessRequest, company: Company | undefined) {
  return refusingQuery(async () => {
    const options = readQueryOptions(request.query);
    const present = presenter(session, options);
    const context = `${contextOf(session.base, setName(company), options.select)}/$entity`;
    return (stored: Stored<Subscription>) => ({ '@odata.context': context, ...present(stored) });
  });
}

function addressed({ jar }: Session, target: SubscriptionTarget, secrets: Parameters<typeof sealSecrets>[1]) {
  const { notificationUrl } = secrets;
  return {
    shownUrl: withoutSecrets(notificationUrl),
    address: addressOf(jar.vault, target.companyKey, notificationUrl),
    secrets: sealSecrets(jar.vault, secrets),
  };
}

const companyOf = (tenantId: string, { companyId, companyKey, companyName }: SubscriptionTarget): Company => ({
  id: companyId,
  key: companyKey,
  name: companyName,
  tenantId,
});

/** A handshake waits for its receiver, which a shared transaction must not do. */
function refuseShared({ isShared }: Session): void {
  if (!isShared) return;
  throw errors.Application_CallbackNotAllowed({
    reason:
      'A subscription cannot be created or renewed in a change set or in a batch with Isolation: snapshot, because that needs a handshake with its notification address. Send the request separately.',
  });
}

function notAllowed({ method, path }: BusinessRequest, allowed: string): Error {
  return errors.BadRequest_MethodNotAllowed(
    { method, resource: path.slice(0, 200), allowed },
    { headers: { allow: allowed } },
  );
}
