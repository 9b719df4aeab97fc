import { errorTable } from '../../kernel/http/index.ts';

/** Errors of the management API for topics, domains and event subscriptions. */
export const eventErrors = errorTable({
  InvalidRequest: [400, '{reason}'],
  NotPartOfJar: [400, "'{type}' is not part of this jar: {reason}"],

  // topics and domains
  NameAlreadyTaken: [
    409,
    "The name '{name}' is already taken in region '{region}'; names of topics and domains are unique there.",
  ],
  QuotaReached: [409, 'The quota of {limit} {unit} {place} is reached; delete some of them first.'],
  TopicTypeNotFound: [404, "There is no topic type '{name}'."],
  TopicNotFound: [404, 'The topic or domain was deleted meanwhile.'],

  // event subscriptions
  ResourceRequestsThrottled: [
    429,
    "There are too many requests about event subscriptions of the subscription '{subscription}'; try again after {seconds} seconds.",
  ],
  ParentResourceNotFound: [404, "The parent resource '{id}' was not found.{hint}"],
  ResourceNotFound: [404, "The event subscription '{name}' was not found at the scope '{scope}'."],
});
