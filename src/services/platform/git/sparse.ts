import { errors } from '../errors.ts';

/**
 * Sparse checkouts in cone mode, as in git: a pattern is a directory. Everything below it is checked out, and the files directly in its
 * parent directories.
 */

export type Cone = readonly (readonly string[])[];

const MOST_PATTERNS = 1000;

export function coneOf(patterns: readonly string[]): Cone {
  if (patterns.length > MOST_PATTERNS)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A sparse checkout may have at most ${MOST_PATTERNS} patterns.` });
  return patterns.map((pattern) => {
    const names = pattern.split('/').filter((name) => name !== '');
    if (names.some((name) => name === '..' || /[*?[\]!\\]/.test(name)))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The pattern '${pattern.slice(0, 200)}' is not a directory: only patterns of cone mode are supported.`,
      });
    return names;
  });
}

const begins = (names: readonly string[], start: readonly string[]): boolean =>
  start.length <= names.length && start.every((name, index) => names[index] === name);

/** Whether a directory is visited, and whether its direct files are checked out: in a cone, both are the same. */
export const isInCone = (directory: readonly string[], cone: Cone | undefined): boolean =>
  cone === undefined ||
  directory.length === 0 ||
  cone.some((pattern) => begins(directory, pattern) || begins(pattern, directory));
