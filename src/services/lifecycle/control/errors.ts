import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the service's control routes. */
export const controlErrors = errorTable({
  NoSuchUser: [404, "The app lifecycle service has no account with the name '{name}'."],
  EmailFixed: [409, "The account '{name}' has the email address '{email}', which cannot be changed."],
});
