import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { validate } from './validate.ts';

const PATH = '/eventsubscriptions/{name}/validate';

/** Endpoints may send something along; nobody reads it. */
const LARGEST_BODY_BYTES = 16 * 1024;

/** Where somebody agrees for an endpoint: the address that a handshake tells is the proof of having got it. */
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
