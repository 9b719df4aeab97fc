import { isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';

const text = { type: 'string', least: 1, most: 2000 } as const;

/** A library has exactly one of these members. */
const LIBRARY_FIELDS: FieldRules = {
  jar: text,
  egg: text,
  whl: text,
  requirements: text,
  pypi: { type: 'object' },
  maven: { type: 'object' },
  cran: { type: 'object' },
};

const PACKAGE: FieldRules = { package: { ...text, required: true }, repo: text };

const PARTS: Readonly<Record<string, FieldRules>> = {
  pypi: PACKAGE,
  cran: PACKAGE,
  maven: {
    coordinates: { ...text, required: true },
    repo: text,
    exclusions: { type: 'array', most: 100, items: text },
  },
};

/** The libraries in a request. */
export function readLibraries(sent: Json | undefined): readonly JsonMembers[] {
  if (!Array.isArray(sent)) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'libraries' });
  return sent.map(readLibrary);
}

function readLibrary(sent: unknown): JsonMembers {
  const library = readFields(LIBRARY_FIELDS, sent);
  const kinds = Object.keys(library);
  if (kinds.length !== 1)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `A library must be exactly one of ${Object.keys(LIBRARY_FIELDS).join(', ')}.`,
    });
  const kind = kinds[0] as string;
  const rules = PARTS[kind];
  const value = library[kind];
  return rules && isObject(value) ? { [kind]: completeFields(rules, readFields(rules, value)) } : library;
}

/** Two libraries are the same if their fields are equal. */
export const identity = (library: JsonMembers): string => JSON.stringify(library);
