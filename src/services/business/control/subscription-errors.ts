import { errorTable } from '../../../kernel/http/errors.ts';

/** What the control routes of subscriptions and settings refuse. */
export const businessControlErrors = errorTable({
  NoSuchSetting: [400, "There is no setting '{name}'; GET /_jar/business/settings lists them all."],
  BadSetting: [400, "The setting '{setting}' {reason}."],
  NoSuchSubscription: [404, "There is no webhook subscription '{id}', and none is known to have been removed."],
  SubscriptionRemoved: [409, "The webhook subscription '{id}' is no more: {reason}."],
});
