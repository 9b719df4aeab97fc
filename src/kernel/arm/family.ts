import type { ApiError } from '../http/errors.ts';
import type { ApiFamily } from '../http/family.ts';
import type { Answer } from '../http/route.ts';
import { authenticate } from './authenticate.ts';
import { originOf, recordOutcome } from './changes.ts';
import { checkAuthorization, checkRegistration, checkWritable, findGroup, findSubscription } from './gateway.ts';
import { checkLocks } from './locks.ts';
import { type ArmCall, type ArmShape, armFacts, armTraits } from './route.ts';
import { spokenDetails, spokenPrefix, spokenText } from './spoken-prefix.ts';
import { throttle } from './throttle.ts';
import { unmatched } from './unmatched.ts';
import { checkApiVersion } from './versions/check.ts';

/** Limit of a request body, like the real gateway. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

const HSTS = 'max-age=31536000; includeSubDomains';

/** Protocol behaviour of all management services. */
export const MANAGEMENT: ApiFamily<ArmShape> = {
  name: 'management',
  steps: [
    authenticate,
    checkApiVersion,
    findSubscription,
    throttle,
    checkAuthorization,
    checkLocks,
    checkWritable,
    checkRegistration,
    findGroup,
  ],
  readable: (call, body) => armFacts(call).view.accept(body, armTraits(call).flatBody),
  renderError,
  parameters: ({ traits }) => [{ name: 'api-version', values: traits?.arm?.versions?.names ?? [] }],
  commonHeaders,
  finished: recordFailure,
  unmatched,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  // Ten times the largest resource: finding the first mistake in a larger body would block other requests.
  json: { names: 10_000, values: 25_000 },
  cors: true,
  codes: {
    malformedJson: 'InvalidRequestContent',
    invalidBody: 'InvalidRequestContent',
    invalidQuery: 'InvalidParameter',
    bodyTooLarge: 'RequestContentTooLarge',
    unsupportedMediaType: 'UnsupportedMediaType',
    notFound: 'NotFound',
    methodNotAllowed: 'HttpMethodNotAllowed',
    preconditionFailed: 'PreconditionFailed',
    internal: 'InternalServerError',
    unavailable: 'ServiceUnavailable',
  },
};

function renderError(error: ApiError, call: ArmCall): Answer {
  // Computed here because a request may be rejected before the steps run.
  const prefix = spokenPrefix(call);
  const body = {
    error: {
      code: error.code,
      message: spokenText(error.message, prefix),
      ...(error.target !== undefined && { target: spokenText(error.target, prefix) }),
      ...(error.details.length > 0 && { details: spokenDetails(error.details, prefix) }),
    },
  };
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
    body,
  };
}

function commonHeaders(call: ArmCall): Record<string, string> {
  const { correlationId } = call;
  const headers: Record<string, string> = {
    'cache-control': 'no-cache',
    pragma: 'no-cache',
    expires: '-1',
    'x-content-type-options': 'nosniff',
    'x-ms-request-id': call.requestId,
    'x-ms-correlation-request-id': correlationId,
    'x-ms-routing-request-id': `LOCAL:${compactTime(call.receivedAt)}:${correlationId}`,
  };
  // A browser would apply the header to every port of localhost and block the user from other programs there.
  if (!call.secure || !call.origin.startsWith('https://localhost')) headers['strict-transport-security'] = HSTS;
  const clientRequestId = call.headers['x-ms-client-request-id'];
  if (
    typeof clientRequestId === 'string' &&
    /^true$/i.test(String(call.headers['x-ms-return-client-request-id'] ?? ''))
  ) {
    headers['x-ms-client-request-id'] = clientRequestId;
  }
  return headers;
}

/** `20261115T024436Z`. Cached, because most calls within a second share it. */
let lastSecond = -1;
let lastText = '';
function compactTime(at: number): string {
  const second = Math.floor(at / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
  }
  return lastText;
}

/** Failed writes of identified callers are recorded too. */
function recordFailure(call: ArmCall, _answer: Answer, error: ApiError | undefined): Promise<void> | undefined {
  const traits = armTraits(call);
  const facts = armFacts(call);
  if (!error || !traits || traits.effect === 'read' || !call.caller || facts?.recorded !== false) return undefined;
  // Without a subscription or management group there is no subject for a record.
  if (!facts.subscription && !facts.managementGroup) return undefined;
  const origin = originOf(call);
  const { code, message } = error;
  return call.jar.store.transact((tx) => recordOutcome(tx, origin, call.jar.clock.now(), 'Failed', { code, message }));
}
