import type { Credential, DescribedRoute } from '../../kernel/http/index.ts';
import { NEEDS, type Needs, traitsOf } from './operation.ts';
import { takesBody } from './require-body.ts';

/** OpenAPI parts common to all operations. Schemas are written out instead of generated, because this is loaded at every start. */

const shape = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const text = { type: 'string' };

/** Error formats of the gateway, of most services, of `/logs`, and of the rest. */
export const errorSchema = {
  anyOf: [
    shape({ message: text, statusCode: { type: 'integer' }, code: text }),
    shape({ error: shape({ code: { type: ['string', 'integer'] }, message: text }) }),
    shape({ status: text, message: text, correlationId: text }),
    shape({ message: text }),
  ],
};

const TOKEN = { header: 'X-API-Token' };
const APP_SECRET = { header: 'App-Secret' };

const needsOf = ({ traits }: DescribedRoute): Needs | undefined => {
  const { needs } = traitsOf({ traits });
  return needs && NEEDS[needs];
};

/** Refusals by steps of the family, and the routes to which they apply. */
const REFUSALS: readonly (readonly [status: number, when: string, of: (route: DescribedRoute) => boolean])[] = [
  [401, "The header 'X-API-Token' is missing, or its token is not valid", ({ open }) => !open],
  [403, 'The token or the role of its user does not allow the operation', (route) => needsOf(route) !== undefined],
  [
    404,
    'The app or organization does not exist, or the user has no access to it',
    (route) => (needsOf(route)?.of ?? 'account') !== 'account',
  ],
  [411, 'The body is missing; send {} for an empty one', ({ method }) => takesBody(method)],
  [429, 'Too many invalid tokens or requests from this address', ({ open }) => !open],
];

/** Apps have no token; a secret identifies them. */
export const credentials = (route: DescribedRoute): readonly Credential[] => {
  if (traitsOf(route).area === 'logs') return [APP_SECRET];
  return route.open ? [] : [TOKEN];
};

export const refusals = (route: DescribedRoute): Readonly<Record<number, string>> =>
  Object.fromEntries(REFUSALS.filter(([, , of]) => of(route)));
