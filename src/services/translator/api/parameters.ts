import { Type } from 'typebox';
import { MOST_CHARACTERS, MOST_ELEMENTS } from './read-texts.ts';

/** Query parameters of every operation. The steps of the family check them, before any code of the operation is loaded. */
export const COMMON_PARAMETERS = {
  'api-version': Type.String({ description: 'Must be 3.0' }),
  ClientTraceId: Type.Optional(Type.String({ description: 'A GUID of the client, instead of X-ClientTraceId' })),
};

/** Body of operations on texts. It is validated by code, which has an error code for each mistake. */
export const TEXTS = Type.Array(
  Type.Object({ Text: Type.String({ maxLength: MOST_CHARACTERS, description: 'The name may be in any case' }) }),
  { minItems: 1, maxItems: MOST_ELEMENTS },
);
