import { trackingErrors } from './errors.ts';

/** Rules for names and values of metrics, parameters, tags and experiments. Lengths are in characters. */

export const LONGEST_NAME = 250;
export const LONGEST_PARAM = 6000;
export const LONGEST_RUN_TAG = 8000;
export const LONGEST_EXPERIMENT_TAG = 20_000;
export const LONGEST_EXPERIMENT_NAME = 500;
export const LONGEST_RUN_NAME = 250;
export const LONGEST_LOCATION = 2048;
export const LONGEST_MODEL_ID = 255;
export const LONGEST_DATASET = {
  name: 500,
  digest: 36,
  source: 65_535,
  schema: 1_048_575,
  profile: 16_777_215,
} as const;

const NAME = /^[/\p{L}\p{M}\p{N}_. :-]*$/u;

const BAD_NAME =
  'Names may only contain alphanumerics, underscores (_), dashes (-), periods (.), spaces ( ), colon(:) and slashes (/).';

/**
 * Validates the name of a metric, a parameter or a tag. `path` is its path in the request, such as `metrics[0].key`; `what` is the word for
 * it in messages.
 */
export function checkName(name: string, path: string, what: string): void {
  const invalid = (reason: string) =>
    trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `Invalid value ${JSON.stringify(name.slice(0, 300))} for parameter '${path}' supplied: ${reason}`,
    });
  checkLength(name, what, LONGEST_NAME);
  if (!NAME.test(name)) throw invalid(BAD_NAME);
  const resolved = resolvedPath(name);
  if (resolved === name && name !== '.' && !name.startsWith('..') && !name.startsWith('/')) return;
  throw invalid(
    `Names may be treated as files in certain cases, and must not resolve to other names when treated as such. This name would resolve to '${resolved}'`,
  );
}

/** Normalises a path as POSIX does. */
export function resolvedPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (!path.startsWith('/')) names.push(name);
  }
  const joined = names.join('/');
  if (path.startsWith('/')) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

/** Counted by code points, as in Python. Most texts are too short to need counting. */
const lengthOf = (text: string): number => [...text].length;

export function checkLength(text: string, what: string, most: number): void {
  if (text.length > most && (text.length > 2 * most || lengthOf(text) > most))
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `'${what}' exceeds the maximum length of ${most} characters`,
    });
}

/** Values of parameters and of run tags are truncated to their maximum length, without an error. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return [...text.slice(0, 2 * most)].slice(0, most).join('');
}
