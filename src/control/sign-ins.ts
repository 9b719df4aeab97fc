import { Type } from 'typebox';
import { MOST_SIGN_INS, type SignIn, signIns } from '../kernel/auth/index.ts';
import type { Route } from '../kernel/http/index.ts';
import { entityShape, type Item, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { route } from '../kernel/service/index.ts';
import { isoTime } from '../kernel/time/index.ts';

const Optional = (description: string) => Type.Optional(Type.String({ description }));

const View = Type.Object({
  id: Type.String(),
  at: Type.String({ description: "By the jar's clock" }),
  outcome: Type.Enum(['succeeded', 'failed']),
  flow: Type.String({
    description: "The grant type of a token request, or 'authorize' and 'device page' for sign-ins on pages",
  }),
  error: Type.Optional(
    Type.Object({
      code: Type.String({ description: 'As in the OAuth answer: invalid_grant' }),
      number: Type.Integer({ description: 'As in the description of the error: 50126 of AADSTS50126' }),
      message: Type.String(),
    }),
  ),
  tenant: Type.String({ description: "As in the address: a tenant's id or domain, common, organizations or adfs" }),
  applicationId: Optional('The client id that was sent'),
  application: Optional('The display name, if the application exists'),
  userId: Optional('Absent if no user has the name that was sent'),
  username: Optional('Absent if no user has the name that was sent'),
  resource: Optional('The audience of the token'),
  scope: Optional('The granted scope'),
  address: Type.String({ description: 'Where the client is' }),
  userAgent: Optional('As sent by the client'),
  requestId: Type.String({ description: 'The id in the answer and in the log' }),
});

const Text = { type: 'Edm.String' } as const;

const shape = entityShape({
  name: 'sign-ins',
  collection: signIns,
  properties: {
    id: { ...Text, field: 'key' },
    at: { type: 'Edm.DateTimeOffset' },
    outcome: { ...Text, read: outcomeOf },
    flow: Text,
    error: { type: { properties: { code: Text, number: { type: 'Edm.Int64' }, message: Text } } },
    tenant: Text,
    applicationId: Text,
    application: Text,
    userId: Text,
    username: { ...Text, ignoreCase: true },
    resource: Text,
    scope: Text,
    address: Text,
    userAgent: Text,
    requestId: Text,
  },
  scan: 'bounded',
});

export const signInRoute: Route = route({
  method: 'GET',
  path: '/_jar/sign-ins',
  operation: 'Jar_ListSignIns',
  summary: `The last ${MOST_SIGN_INS.toLocaleString('en')} sign-ins of users and applications, newest first, with the errors of failed ones`,
  query: listQuery(shape),
  responses: { 200: listOf(View) },
  handle: (call) => listAnswer(call, { shape, order: [{ field: 'order', descending: true }], view }),
});

function outcomeOf({ error }: SignIn): string {
  return error ? 'failed' : 'succeeded';
}

function view({ key, value: { order: _, at, ...shown } }: Item<SignIn>): object {
  return { id: key, at: isoTime(at), outcome: outcomeOf({ ...shown, at, order: _ }), ...shown };
}
