import { ApiError, errorTable } from '../../kernel/http/index.ts';

type Options = ConstructorParameters<typeof ApiError>[3];

/** An entry of an error's `details`: `{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', … }`. */
export type WireDetail = Readonly<Record<string, unknown>> & { readonly '@type': string };

/** An error with `details`, in the format of the API. */
export class PlatformError extends ApiError {
  readonly wireDetails: readonly WireDetail[];

  constructor(status: number, code: string, message: string, wireDetails: readonly WireDetail[], options?: Options) {
    super(status, code, message, options);
    this.wireDetails = wireDetails;
  }
}

export const platformError = (
  status: number,
  code: string,
  message: string,
  details: readonly WireDetail[],
  options?: Options,
): PlatformError => new PlatformError(status, code, message, details, options);

/**
 * An error of the gateway, before a service sees the call. Its `error_code` is the status as a number, and its message ends with the
 * request id.
 */
export class GatewayError extends ApiError {}

interface Asked {
  readonly requestId: string;
}

const gatewayError = (status: number, message: string, { requestId }: Asked): GatewayError =>
  new GatewayError(status, String(status), `${message} [ReqId: ${requestId}]`, {
    headers: { 'x-databricks-reason-phrase': message.replace(/[^\x20-\x7e]/g, '?').slice(0, 200) },
  });

export const gateway = {
  missingToken: (call: Asked) =>
    gatewayError(401, 'Credential was not sent or was of an unsupported type for this API.', call),
  invalidTokenError: (call: Asked) => gatewayError(403, 'Invalid access token.', call),
  expiredToken: (call: Asked) => gatewayError(403, 'Access token has expired.', call),
  tokensDisabled: (call: Asked) => gatewayError(403, 'Personal access tokens are disabled in this workspace.', call),
  noTokens: (call: Asked) =>
    gatewayError(403, 'The owner of the token does not have CAN_USE permissions on tokens.', call),
  tooManyWrong: (call: Asked, source: string) =>
    gatewayError(429, `Too many invalid access tokens were sent from ${source}.`, call),
  otherWorkspace: (call: Asked, workspace: string) =>
    gatewayError(403, `Unauthorized access to workspace: ${workspace.slice(0, 100)}`, call),
  outsideScopes: (call: Asked, kind: 'access' | 'OAuth', scopes: readonly string[]) =>
    gatewayError(403, `Provided ${kind} token does not have required scopes: ${scopes.join(', ')}`, call),
  inactive: (call: Asked) => gatewayError(403, 'User is deactivated.', call),
  blocked: (call: Asked, address: string, where: string) =>
    gatewayError(403, `Source IP address: ${address} is blocked by Databricks IP ACL for ${where}`, call),
};

/** The gateway's message for a body that is not valid JSON. */
export const malformedJson = (reason: string): string =>
  `Invalid JSON given in the body of the request - failed to parse given JSON: ${reason}`;

/** Errors that several parts of the platform use. A part with errors of its own has a table in its folder. */
export const errors = errorTable({
  BAD_REQUEST: [400, '{reason}'],
  MALFORMED_REQUEST: [400, '{reason}'],
  INVALID_PARAMETER_VALUE: [400, '{reason}'],
  INVALID_PARAMETER_VALUE__MissingField: [400, 'Missing required field: {field}'],
  INVALID_STATE: [400, '{reason}'],
  RESOURCE_ALREADY_EXISTS: [400, '{reason}'],
  PERMISSION_DENIED: [403, '{reason}'],
  PERMISSION_DENIED__NotAdmin: [403, '{user} is not an administrator of the workspace {workspace}.'],
  PERMISSION_DENIED__NotAccountAdmin: [403, '{user} is not an administrator of the account {account}.'],
  RESOURCE_DOES_NOT_EXIST: [404, '{reason}'],
  NOT_FOUND: [404, '{reason}'],
  ENDPOINT_NOT_FOUND: [404, "No API found for '{method} {path}'{more}"],
  FEATURE_DISABLED: [404, '{reason}'],
  ALREADY_EXISTS: [409, '{reason}'],
  RESOURCE_CONFLICT: [409, '{reason}'],
  ABORTED: [409, '{reason}'],
});
