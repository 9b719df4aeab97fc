import { errorTable } from '../../kernel/http/index.ts';

export const deliveryErrors = errorTable({
  BadTime: [400, "The query parameter '{name}' must be a date and time such as 2030-01-31T12:00:00Z, not '{value}'."],
  FilterNeeded: [400, 'Select the deliveries to send again with at least one filter, for example ?state=dropped.'],
  NoSuchDelivery: [404, "There is no delivery '{id}'; ended ones are kept for seven days, and at most 50000."],
  PolicyUnknown: [409, "The delivery '{id}' belongs to the policy '{policy}', which this jar does not have."],
});
