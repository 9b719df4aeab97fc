import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the service's part of the control API. */
export const eventControlErrors = errorTable({
  NoSuchQueue: [404, "There is no queue '{queue}'; the first event that is sent to it creates it."],
  NoSuchMessage: [404, "There is no message '{message}' in the queue '{queue}'."],
  ReceiptOutdated: [409, "The receipt is outdated: the message '{message}' has been received again since."],
  NoSuchSource: [404, "The source '{source}' is in no subscription of the jar."],
  NotASource: [400, "Events for '{source}' are published to its own address, not injected."],
  InvalidEvent: [400, 'The event {index} is not valid: {reason}.'],
  NoSuchSubscription: [404, "There is no event subscription '{id}'."],
  TraceNotFound: [404, "There is no trace '{id}'; only the newest are kept."],
});
