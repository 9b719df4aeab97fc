import { Type } from 'typebox';

/** What every operation takes in its query. Checked by the steps of the family, before anything of an operation is loaded. */
export const COMMON_PARAMETERS = {
  'api-version': Type.String({ description: 'Has to be 3.0' }),
  ClientTraceId: Type.Optional(Type.String({ description: 'A GUID of the client, in place of X-ClientTraceId' })),
};
