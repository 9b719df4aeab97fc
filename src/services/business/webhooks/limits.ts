import type { QuotaLimit } from '../../../kernel/limits/index.ts';

/** The maximum is the setting `ApiSubscriptionMaxNumberOfSubscriptions`, which changes this limit directly. */
export const SUBSCRIPTIONS: QuotaLimit = {
  kind: 'quota',
  name: 'business.subscriptions',
  title: 'Webhook subscriptions of a tenant',
  scope: ['tenant'],
  unit: 'subscriptions',
  limit: 200,
};

export const WEBHOOK_LIMITS: readonly QuotaLimit[] = [SUBSCRIPTIONS];
