import { errors } from '../../errors.ts';
import { type SecurableType, TITLES } from './privileges.ts';

const MOST_CHARACTERS = 255;

/** Spaces, full stops, slashes and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const FORBIDDEN = /[ ./\u0000-\u001f\u007f]/;

/** Validates the name of a new securable. Returns it as stored. */
export function checkName(kind: SecurableType, name: string): string {
  // A lone surrogate cannot be written in a path, so the securable could never be addressed.
  if (name !== '' && name.length <= MOST_CHARACTERS && name.isWellFormed() && !FORBIDDEN.test(name))
    return name.toLowerCase();
  const title = TITLES[kind];
  const what = `Invalid input: RPC Create${title} Field managedcatalog.${title}Info.name: `;
  if (name.length > MOST_CHARACTERS)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `${what}the name has ${name.length} characters; the maximum is ${MOST_CHARACTERS}.`,
    });
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `${what}name "${name.slice(0, 300).toWellFormed()}" is not a valid name. Valid names cannot contain spaces, periods, forward slashes, or control characters.`,
  });
}

/** The parts of `catalog.schema.table`. */
export function partsOf(kind: SecurableType, fullName: string, count: number): readonly string[] {
  const parts = fullName.split('.', count + 1);
  if (parts.length === count && parts.every((each) => each !== '')) return parts;
  const form = ['', 'name', 'catalog.schema', `catalog.schema.${kind}`][count];
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${fullName.slice(0, 300)}' is not the full name of a ${TITLES[kind].toLowerCase()}; the form is ${form}.`,
  });
}
