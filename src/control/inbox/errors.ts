import { errorTable } from '../../kernel/http/index.ts';

export const inboxErrors = errorTable({
  BadInboxName: [
    400,
    "'{name}' cannot be the name of an inbox: give 1 to 64 letters, digits, dots, dashes or underscores, not dots alone.",
  ],
  BadBehaviour: [400, "The property '{field}' of the request body {reason}."],
  BadEventId: [400, "The Last-Event-ID '{id}' was not given out by an inbox."],
  NoSuchRequest: [404, "The inbox '{name}' holds no request '{id}'; the oldest are dropped when it is full."],
  TooManyNewInboxes: [429, 'Requests from {source} have made too many inboxes; send to one that is there.'],
  TooManyInboxes: [409, 'There are {most} inboxes already, which is the most; remove them with DELETE /_jar/inbox.'],
});
