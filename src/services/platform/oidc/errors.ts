import { errorTable } from '../../../kernel/http/index.ts';

/**
 * Errors of the endpoints below `/oidc`, with codes of RFC 6749 and RFC 8693. The family renders them as `error` and `error_description`.
 */
export const oidcErrors = errorTable({
  access_denied: [400, '{reason}'],
  invalid_request: [400, '{reason}'],
  invalid_request__Missing: [400, "The request must contain the parameter '{name}'."],
  invalid_client: [401, 'Client authentication failed.'],
  invalid_client__Slow: [429, 'Too many wrong secrets were sent from this address. Try again in {seconds} s.'],
  invalid_grant: [400, '{reason}'],
  invalid_grant__Slow: [429, 'Too many wrong grants were sent from this address. Try again in {seconds} s.'],
  invalid_scope: [400, '{reason}'],
  unauthorized_client: [400, '{reason}'],
  unsupported_grant_type: [400, "The grant_type '{grant}' is not supported."],
  unsupported_response_type: [400, "The response_type '{type}' is not supported; use 'code'."],
});
