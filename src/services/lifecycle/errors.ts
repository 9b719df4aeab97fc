import { ApiError, errorTable } from '../../kernel/http/index.ts';

/**
 * Two layers answer: the gateway, which knows tokens, addresses and roles, and the services behind it, which know their data. Their
 * errors look different.
 */
export class GatewayError extends ApiError {}

/** By the status: its phrase is the code. */
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

/** Whether a message ends in the id of the request is as the real gateway has it. */
const correlated = (message: string, correlationId: string): string => `${message} Correlation ID: ${correlationId}`;

interface Correlated {
  readonly correlationId: string;
}

export const gateway = {
  missingToken: ({ correlationId }: Correlated) =>
    gatewayError(401, correlated('Missing valid authentication token.', correlationId)),
  wrongToken: ({ correlationId }: Correlated) => gatewayError(401, correlated('Unauthorized.', correlationId)),
  notFound: ({ correlationId }: Correlated) => gatewayError(404, correlated('Not found.', correlationId)),
  /** `reason` says what would have been needed. */
  forbidden: (reason: string) => gatewayError(403, `Forbidden: ${reason}.`),
  otherApp: () => gatewayError(403, 'Forbidden: the token does not belong to the requested app.'),
  noBody: () => gatewayError(411, 'Length Required: POST, PUT and PATCH need a body; {} serves as an empty one.'),
  retired: (date: string) => gatewayError(410, `Gone: this part of the service was retired on ${date}.`),
  tooMany: (message: string, headers: Readonly<Record<string, string>>) => gatewayError(429, message, { headers }),
};

/** What the services behind the gateway refuse. How their errors are wrapped is told by the `area` of the route. */
export const errors = errorTable({
  BadRequest: [400, '{reason}'],
  Forbidden: [403, '{reason}'],
  NotFound: [404, '{reason}'],
  Conflict: [409, '{reason}'],
  RateLimitExceeded: [429, '{reason}'],
});
