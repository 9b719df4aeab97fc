import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the control routes of changes. */
export const changeControlErrors = errorTable({
  NoSuchChange: [404, "There is no change '{id}'; only the newest are kept."],
});
