import { errorTable } from '../../../kernel/http/index.ts';

/** What the control routes of changes refuse. */
export const changeControlErrors = errorTable({
  NoSuchChange: [404, "There is no change '{id}'; only the newest are kept."],
});
