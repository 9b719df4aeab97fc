import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the control routes of subscriptions. */
export const businessControlErrors = errorTable({
  NoSuchSubscription: [404, "There is no webhook subscription '{id}', and no record that it was removed."],
  SubscriptionRemoved: [409, "The webhook subscription '{id}' was removed: {reason}."],
});
