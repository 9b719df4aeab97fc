import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { validate } from './validate.ts';

const PATH = '/eventsubscriptions/{name}/validate';

/** Endpoints may send a body; it is ignored. */
const LARGEST_BODY_BYTES = 16 * 1024;

/** Confirm an endpoint by the address from its handshake, which proves that the caller received the handshake. */
export const validationRoutes: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: PATH,
      operation: 'EventSubscriptions_Validate',
      summary: 'Confirms an endpoint, by the validation address from its handshake',
      open: true,
    },
    validate,
  ),
  routeOf(
    {
      method: 'POST',
      path: PATH,
      operation: 'EventSubscriptions_ValidateByPost',
      summary: 'Confirms an endpoint that calls back by POST',
      accepts: 'bytes',
      bodyLimitBytes: LARGEST_BODY_BYTES,
      open: true,
    },
    validate,
  ),
];
