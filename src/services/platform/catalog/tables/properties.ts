import { errors } from '../../errors.ts';

const MOST_PROPERTIES = 1000;
const MOST_KEY = 255;
const MOST_VALUE = 4000;

/** Throws unless the properties of a table are texts by name, few enough for a list of tables. */
export function checkProperties(properties: unknown): void {
  if (properties === undefined || properties === null) return;
  const entries = Object.entries(properties);
  if (entries.length > MOST_PROPERTIES) throw invalid(`A table can have at most ${MOST_PROPERTIES} properties.`);
  for (const [key, value] of entries) {
    const at = `The property '${key.slice(0, 100)}'`;
    if (typeof value !== 'string')
      throw errors.MALFORMED_REQUEST({
        reason: `Could not parse request object: the field 'properties.${key.slice(0, 100)}' must be a string.`,
      });
    if (key === '' || key.length > MOST_KEY)
      throw invalid(`${at} has an invalid name: names must have 1 to ${MOST_KEY} characters.`);
    if (value.length > MOST_VALUE) throw invalid(`${at} has more than ${MOST_VALUE} characters.`);
  }
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
