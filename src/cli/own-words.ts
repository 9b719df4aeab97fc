import { EXIT_USAGE } from './errors.ts';
import { RefusedByJar } from './refused.ts';

/**
 * By the name of a property of a request body (`effect.status`) or of a query parameter (`$top`), the option or the argument that sets
 * it. A name also stands for what lies below it, unless that has a name of its own.
 */
export type OptionNames = Readonly<Record<string, string>>;

const NAMED_PROPERTY = /The property '([^']*)' of the request body/g;
const NAMED_PARAMETER = /The query parameter '([^']*)'/g;
/** Further names in a message, of which a value that was typed cannot be one: `'$filter'`, `name one in 'recipients'`. */
const LIST_OPTION = /'(\$[a-z]+)'/g;
const NAMED_PLACE = /\bin '([A-Za-z]+)'/g;

/**
 * A refusal of the jar as whoever typed the command can understand it: the jar names what the request had, and the command line
 * has options. A mistake in an option is one of the command line, and ends it with that status.
 */
export function inOwnWords(error: RefusedByJar, names: OptionNames): RefusedByJar {
  const optionOf = (name: string): string => nameOf(name, names) ?? `'${name}'`;
  const message = error.message
    .replace(NAMED_PROPERTY, (_all, name: string) => optionOf(name))
    .replace(NAMED_PARAMETER, (_all, name: string) => optionOf(name))
    .replace('The request body', 'what was given')
    .replace(LIST_OPTION, (all, name: string) => nameOf(name, names) ?? all)
    .replace(NAMED_PLACE, (all, name: string) => (Object.hasOwn(names, name) ? `with ${names[name]}` : all));
  const isOfOption = error.target !== undefined && nameOf(error.target, names) !== undefined;
  const isMistake = isOfOption && error.status === 400;
  if (message === error.message && !isMistake) return error;
  const { code, target, status } = error;
  return new RefusedByJar(message, { code, target, status, exitCode: isMistake ? EXIT_USAGE : error.exitCode });
}

/** `match.path` for `match.path[0]`, and `match` for `match.path` where there is no longer name. */
function nameOf(target: string, names: OptionNames): string | undefined {
  let name = target;
  for (;;) {
    if (Object.hasOwn(names, name)) return names[name];
    const cut = Math.max(name.lastIndexOf('.'), name.lastIndexOf('['));
    if (cut <= 0) return undefined;
    name = name.slice(0, cut);
  }
}
