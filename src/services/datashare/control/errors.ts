import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the control routes of data sharing. */
export const shareControlErrors = errorTable({
  NoSuchSynchronization: [404, "There is no synchronization '{id}'."],
});
