import { errorTable } from '../../kernel/http/errors.ts';

/** Everything that is particular to topics, domains and event subscriptions and can be refused by the management API. */
export const eventErrors = errorTable({
  InvalidRequest: [400, '{reason}'],
  ParentResourceNotFound: [404, "The parent resource '{id}' of the event subscription was not found."],
  EventSubscriptionNotFound: [404, "The event subscription '{name}' was not found at the scope '{scope}'."],
});
