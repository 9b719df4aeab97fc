import { Type } from 'typebox';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type EmailRegistration, emailRegistrations } from '../collections.ts';
import { routeCode } from '../jar.ts';

/** The administrator's view of email registrations, with the codes that the real service only sends by mail. */

const shape = entityShape<EmailRegistration>({
  name: 'registrations',
  collection: emailRegistrations,
  properties: {
    email: { type: 'Edm.String', field: 'email', ignoreCase: true },
    objectId: { type: 'Edm.String', field: 'objectId', ignoreCase: true },
    status: { type: 'Edm.String', field: 'status' },
    requestedAt: { type: 'Edm.DateTimeOffset', field: 'requestedAt' },
  },
  scan: 'bounded',
});

const RegistrationView = Type.Object({
  email: Type.String(),
  objectId: Type.String(),
  tenantId: Type.String(),
  status: Type.String(),
  activationCode: Type.String(),
  requestedAt: Type.String(),
});

export const listRegistrations = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(RegistrationView) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      view: ({ value: { email, objectId, tenantId, status, code, requestedAt } }) => ({
        email,
        objectId,
        tenantId,
        status,
        activationCode: code,
        requestedAt: isoTime(requestedAt),
      }),
    }),
});
