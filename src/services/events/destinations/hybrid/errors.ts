import { errorTable } from '../../../../kernel/http/index.ts';

/** Errors that refuse a listener of a hybrid connection, with the statuses of the relay's protocol. */
export const relayErrors = errorTable({
  Unauthorized: [401, '{reason}'],
  Forbidden: [403, '{reason}'],
  BadRequest: [400, '{reason}'],
});
