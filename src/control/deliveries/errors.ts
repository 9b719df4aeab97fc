import { errorTable } from '../../kernel/http/index.ts';

export const deliveryErrors = errorTable({
  BadTime: [400, "The query parameter '{name}' must be a date and time such as 2030-01-31T12:00:00Z, not '{value}'."],
  FilterNeeded: [400, 'Say which deliveries to send once more, by at least one filter: ?state=dropped, for example.'],
  NoSuchDelivery: [404, "There is no delivery '{id}'; ended ones are kept for seven days, and not more than 50000."],
  PolicyUnknown: [409, "The delivery '{id}' was made by the policy '{policy}', which this jar does not have."],
});
