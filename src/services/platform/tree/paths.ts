import { errors } from '../errors.ts';

/** Longer paths are refused before any lookup. */
const LONGEST_PATH = 16_384;

/** The names on an absolute path; empty for the root. Doubled and trailing slashes are ignored. */
export function namesOn(path: string, field = 'path'): readonly string[] {
  if (!path.startsWith('/')) throw invalid(field, `must be absolute and begin with '/', not '${path.slice(0, 100)}'`);
  if (path.length > LONGEST_PATH) throw invalid(field, `must have at most ${LONGEST_PATH} characters`);
  if (path.includes('\0') || !path.isWellFormed()) throw invalid(field, 'has characters that names must not contain');
  const names = path.split('/').filter((name) => name !== '');
  if (names.some((name) => name === '.' || name === '..')) throw invalid(field, "must not have '.' or '..' as a name");
  return names;
}

export const pathOf = (names: readonly string[]): string => `/${names.join('/')}`;

const invalid = (field: string, reason: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' ${reason}.` });
