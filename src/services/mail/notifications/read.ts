import { type Answer, nextLink, ok } from '../../../kernel/http/index.ts';
import { entityShape, type ODataError, readList, readQueryOptions, refusing } from '../../../kernel/odata/index.ts';
import { baseOf } from '../api/show.ts';
import { subscriptions } from '../collections.ts';
import { errors } from '../errors.ts';
import { findSubscription, reachable } from './find.ts';
import type { SubscriptionCall } from './request.ts';
import type { Subscription } from './types.ts';
import { subscriptionView } from './view.ts';

const PAGE = { size: 100, most: 100, top: 'page' } as const;

const shape = entityShape<Subscription>({
  name: 'subscription',
  collection: subscriptions,
  properties: { id: { type: 'Edm.String', filterable: false, orderable: false } },
  scan: 'refused',
});

/** `GET /subscriptions`: the subscriptions that the caller can reach, page by page. There are no query options. */
export async function listSubscriptions(call: SubscriptionCall): Promise<Answer> {
  const { jar, caller } = call;
  const codeOf = (_: ODataError): string => 'InvalidRequest';
  const filter = await reachable(caller, jar);
  const page = await refusing(() => {
    const { skipToken, ...others } = readQueryOptions(call.query);
    const [refused] = Object.keys(others);
    if (refused !== undefined)
      throw errors.InvalidRequest({
        reason: `The query parameter '$${refused.toLowerCase()}' is not supported for subscriptions.`,
      });
    return readList<Subscription>({
      store: jar.store,
      vault: jar.vault,
      now: call.receivedAt,
      shape,
      options: skipToken === undefined ? {} : { skipToken },
      list: `subscriptions ${caller.tenantId} ${caller.applicationId} ${caller.objectId}`,
      rules: PAGE,
      filter,
    });
  }, codeOf);
  const now = jar.clock.now();
  const value = page.items
    .filter((stored) => stored.value.expiresAt > now)
    .map((stored) => subscriptionView(call, stored.value, { isBeta: call.version === 'beta' }));
  const url = `/${call.version}/subscriptions`;
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#subscriptions`,
    value,
    ...(page.skipToken !== undefined && { '@odata.nextLink': nextLink({ origin: call.origin, url }, page.skipToken) }),
  });
}

/** `GET /subscriptions/{id}` */
export async function getSubscription(call: SubscriptionCall): Promise<Answer> {
  const { value } = await findSubscription(call, call.jar.store, 'Get');
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#subscriptions/$entity`,
    ...subscriptionView(call, value, { isBeta: call.version === 'beta' }),
  });
}
