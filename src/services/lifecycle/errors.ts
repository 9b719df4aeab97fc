import { ApiError, errorTable } from '../../kernel/http/index.ts';

/**
 * Two layers respond: the gateway, which checks tokens, URLs and roles, and the services behind it, which check their data. Their error
 * formats differ.
 */
export class GatewayError extends ApiError {}

/** Keyed by status; the phrase is the error code. */
const PHRASES = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  411: 'Length Required',
  429: 'Too Many Requests',
} as const;

type Options = ConstructorParameters<typeof ApiError>[3];

const gatewayError = (status: keyof typeof PHRASES, message: string, options?: Options): GatewayError =>
  new GatewayError(status, PHRASES[status], message, options);

/** As in the real gateway, only some messages end with the request id. */
const correlated = (message: string, correlationId: string): string => `${message} Correlation ID: ${correlationId}`;

interface Correlated {
  readonly correlationId: string;
}

export const gateway = {
  missingToken: ({ correlationId }: Correlated) =>
    gatewayError(401, correlated('Missing valid authentication token.', correlationId)),
  invalidTokenError: ({ correlationId }: Correlated) => gatewayError(401, correlated('Unauthorized.', correlationId)),
  notFound: ({ correlationId }: Correlated) => gatewayError(404, correlated('Not found.', correlationId)),
  /** `reason` says what would have been required. */
  forbidden: (reason: string) => gatewayError(403, `Forbidden: ${reason}.`),
  otherApp: () => gatewayError(403, 'Forbidden: the token does not belong to the requested app.'),
  noBody: () => gatewayError(411, 'Length Required: POST, PUT and PATCH require a body; send {} for an empty one.'),
  retired: (date: string) => gatewayError(410, `Gone: this part of the service was retired on ${date}.`),
  tooMany: (message: string, headers: Readonly<Record<string, string>>) => gatewayError(429, message, { headers }),
};

/** Errors of the services behind the gateway. The `area` of the route determines their format. */
export const errors = errorTable({
  BadRequest: [400, '{reason}'],
  Forbidden: [403, '{reason}'],
  NotFound: [404, '{reason}'],
  Conflict: [409, '{reason}'],
  RateLimitExceeded: [429, '{reason}'],
});
