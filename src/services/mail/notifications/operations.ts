import { deleteSubscriptionOf, patchSubscription, reauthorizeSubscription } from './change.ts';
import { postSubscription } from './create.ts';
import { LISTS, READS, REAUTHORIZATIONS, WRITES } from './limits.ts';
import { getSubscription, listSubscriptions } from './read.ts';
import type { SubscriptionOperation } from './request.ts';

export const SUBSCRIPTION_OPERATIONS: readonly SubscriptionOperation[] = [
  { method: 'GET', path: 'subscriptions', name: 'ListSubscriptions', limits: LISTS, handle: listSubscriptions },
  { method: 'POST', path: 'subscriptions', name: 'CreateSubscription', limits: WRITES, handle: postSubscription },
  { method: 'GET', path: 'subscriptions/{id}', name: 'GetSubscription', limits: READS, handle: getSubscription },
  {
    method: 'PATCH',
    path: 'subscriptions/{id}',
    name: 'UpdateSubscription',
    limits: WRITES,
    handle: patchSubscription,
  },
  {
    method: 'DELETE',
    path: 'subscriptions/{id}',
    name: 'DeleteSubscription',
    limits: WRITES,
    handle: deleteSubscriptionOf,
  },
  {
    method: 'POST',
    path: 'subscriptions/{id}/reauthorize',
    name: 'ReauthorizeSubscription',
    limits: REAUTHORIZATIONS,
    handle: reauthorizeSubscription,
  },
];
