/** Types of declared custom APIs, and the errors for mistakes in them. */
import type { Static } from 'typebox';
import { ConfigError, didYouMean } from '../../../../kernel/config/index.ts';
import type { CustomApisSchema } from './schema.ts';

export type DeclaredApi = Static<typeof CustomApisSchema>[number];
export type DeclaredEntity = DeclaredApi['entities'][number];
export type DeclaredTable = NonNullable<DeclaredEntity['table']>;
export type DeclaredField = DeclaredTable['fields'][string];
export type DeclaredNavigation = NonNullable<DeclaredEntity['navigations']>[number];

const ROOT = 'services.business.customApis';

/** `path` is the position in the list of APIs: `[0].entities[1].sourceTable`. */
export const mistake = (path: string, reason: string): ConfigError => new ConfigError(`${ROOT}${path} ${reason}`);

/** The error for an unknown name, with the closest known name. */
export function unknown(path: string, what: string, name: string, known: Iterable<string>): ConfigError {
  const near = didYouMean(name, known);
  return mistake(path, `is no ${what}: "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

export function requireIdentifier(path: string, name: string): void {
  // A record without such a field would inherit a value.
  if (name in Object.prototype) throw mistake(path, `cannot be "${name}", which every object has`);
  if (IDENTIFIER.test(name)) return;
  throw mistake(
    path,
    `must be a name of letters, digits and underscores that does not begin with a digit, not "${name}"`,
  );
}

/** Refuses a name that equals an earlier one, ignoring case. */
export function requireUnique(path: string, name: string, taken: Set<string>, what: string): void {
  const folded = name.toLowerCase();
  if (taken.has(folded)) throw mistake(path, `is taken: there is another ${what} "${name}"`);
  taken.add(folded);
}
