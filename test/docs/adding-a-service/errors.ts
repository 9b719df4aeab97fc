import { errorTable } from '../../../src/kernel/http/index.ts';

export const bellErrors = errorTable({
  RingTimeInThePast: [400, "The bell cannot ring at '{ringsAt}': it is '{now}' already."],
  BellQuotaReached: [409, 'The subscription has {maximum} bells, which is its quota.'],
});
