import { errorTable } from '../../../../kernel/http/index.ts';

/** Why a listener of a hybrid connection is refused, by the statuses of the relay's protocol. */
export const relayErrors = errorTable({
  Unauthorized: [401, '{reason}'],
  Forbidden: [403, '{reason}'],
  BadRequest: [400, '{reason}'],
});
