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
      summary: 'Agrees that an endpoint gets events, by the address that its handshake told',
      open: true,
    },
    validate,
  ),
  routeOf(
    {
      method: 'POST',
      path: PATH,
      operation: 'EventSubscriptions_ValidateByPost',
      summary: 'The same for endpoints that call back by POST',
      accepts: 'bytes',
      bodyLimitBytes: LARGEST_BODY_BYTES,
      open: true,
    },
    validate,
  ),
];
