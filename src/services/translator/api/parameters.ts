import { Type } from 'typebox';
import { MOST_CHARACTERS, MOST_ELEMENTS } from './read-texts.ts';

/** What every operation takes in its query. Checked by the steps of the family, before anything of an operation is loaded. */
export const COMMON_PARAMETERS = {
  'api-version': Type.String({ description: 'Has to be 3.0' }),
  ClientTraceId: Type.Optional(Type.String({ description: 'A GUID of the client, in place of X-ClientTraceId' })),
};

/** What operations on texts take as a body. It is read by hand, with a code for each mistake. */
export const TEXTS = Type.Array(
  Type.Object({ Text: Type.String({ maxLength: MOST_CHARACTERS, description: 'The name may be in any case' }) }),
  { minItems: 1, maxItems: MOST_ELEMENTS },
);
