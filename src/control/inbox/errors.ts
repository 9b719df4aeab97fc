import { errorTable } from '../../kernel/http/index.ts';

export const inboxErrors = errorTable({
  BadInboxName: [
    400,
    "'{name}' is not a valid name of an inbox: use 1 to 64 letters, digits, dots, dashes or underscores, but not only dots.",
  ],
  BadBehaviour: [400, "The property '{field}' of the request body {reason}."],
  BadEventId: [400, "The Last-Event-ID '{id}' was not issued by an inbox."],
  NoSuchRequest: [404, "The inbox '{name}' has no request '{id}'; the oldest requests are dropped when it is full."],
  TooManyNewInboxes: [429, 'Requests from {source} have created too many inboxes; send to an existing one.'],
  TooManyInboxes: [409, 'There are already {most} inboxes, which is the maximum; remove them with DELETE /_jar/inbox.'],
});
