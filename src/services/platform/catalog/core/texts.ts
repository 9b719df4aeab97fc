import { isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';

/** Maps of texts, such as the options of a connection or the properties of a securable. */

const MOST_ENTRIES = 100;
const LONGEST_NAME = 255;
const LONGEST_VALUE = 65_536;

export type Texts = Readonly<Record<string, string>>;

/** Validates the number and the lengths of texts. */
export function textsIn(field: string, sent: JsonMembers): Texts {
  const entries = Object.entries(sent);
  if (entries.length > MOST_ENTRIES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' must have at most ${MOST_ENTRIES} entries.` });
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string')
        throw errors.MALFORMED_REQUEST({
          reason: `Could not parse request object: the field '${field}.${name.slice(0, 100)}' must be a string.`,
        });
      if (name.length > LONGEST_NAME || value.length > LONGEST_VALUE)
        throw errors.INVALID_PARAMETER_VALUE({
          reason: `Entries of the field '${field}' must have names of at most ${LONGEST_NAME} and values of at most ${LONGEST_VALUE} characters.`,
        });
      return [name, value];
    }),
  );
}

export const membersOf = (value: Json | undefined): JsonMembers => (isObject(value) ? (value as JsonMembers) : {});
