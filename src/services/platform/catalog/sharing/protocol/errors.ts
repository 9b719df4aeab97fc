import { errorTable } from '../../../../../kernel/http/index.ts';

/** Errors of the open protocol: `{"errorCode", "message"}`. */
export const sharingErrors = errorTable({
  UNAUTHENTICATED: [401, '{reason}'],
  PERMISSION_DENIED: [403, '{reason}'],
  RESOURCE_DOES_NOT_EXIST: [404, '{reason}'],
  INVALID_PARAMETER_VALUE: [400, '{reason}'],
  MALFORMED_REQUEST: [400, '{reason}'],
  UNSUPPORTED_OPERATION: [400, '{reason}'],
  TEMPORARILY_UNAVAILABLE: [503, '{reason}'],
});
