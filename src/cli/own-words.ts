import { EXIT_USAGE } from './errors.ts';
import { RefusedByJar } from './refused.ts';

/**
 * The option or argument that sets a property of a request body (`effect.status`) or a query parameter (`$top`), by its name. A name also
 * covers its sub-properties, unless they have entries of their own. An entry for a whole call (`GET /_jar/limits`) has the equivalent
 * command.
 */
export type OptionNames = Readonly<Record<string, string>>;

const NAMED_PROPERTY = /The (?:property|query parameter) '([^']*)'(?: of the request body)?/g;
/** `The '$filter'`; typed values never look like this. */
const LIST_OPTION = /(?:\b[Tt]he )?'(\$[a-z]+)'/g;
/** `name one in 'recipients'` */
const NAMED_PLACE = /\bin '([A-Za-z]+)'/g;
/** `cannot be given together with 'drop'` */
const NAMED_OTHER = /\btogether with '([A-Za-z]\w*)'/g;
/** `give limit or mode`, `which has size, refillPerSecond` */
const NAMED_LIST = /\b(give|which has) ([A-Za-z]+(?:(?:, | or | and )[A-Za-z]+)*)(?=\.|$)/g;
/** Removed if no command lists them. */
const LISTED_BY_CALL = /; GET \/_jar\/\S+ lists them/g;
const CALL = /^(?:[A-Z]+ \/|\?)/;

/**
 * Rewrites an error of the jar for the command line: the jar names fields of the request, the user typed options. An invalid option value
 * becomes a usage error with that exit status.
 */
export function inOptionNames(error: RefusedByJar, names: OptionNames): RefusedByJar {
  const { code, target = '', status } = error;
  // The message names other properties of the same object without their path.
  const beside = target.slice(0, target.lastIndexOf('.') + 1);
  const known = (name: string): string | undefined => nameOf(beside + name, names) ?? nameOf(name, names);
  let message = error.message
    .replace(NAMED_PROPERTY, (_all, name: string) => nameOf(name, names) ?? `'${name}'`)
    .replace('The request body', 'what was given')
    .replace("there is no property '", "there is no field '")
    .replace(LIST_OPTION, (all, name: string) => nameOf(name, names) ?? all)
    .replace(NAMED_PLACE, (all, name: string) => (known(name) === undefined ? all : `with ${known(name)}`))
    .replace(NAMED_OTHER, (all, name: string) => (known(name) === undefined ? all : `together with ${known(name)}`))
    .replace(NAMED_LIST, (_all, verb: string, list: string) => {
      const words = list.replace(/[A-Za-z]+/g, (word) =>
        word === 'or' || word === 'and' ? word : (known(word) ?? word),
      );
      return `${verb} ${words}`;
    });
  const option = error.target === undefined ? undefined : nameOf(error.target, names);
  if (option !== undefined && message.startsWith(`'${error.target}' `)) {
    message = option + message.slice(target.length + 2);
  }
  for (const [name, own] of Object.entries(names)) if (CALL.test(name)) message = message.replaceAll(name, own);
  message = message.replace(LISTED_BY_CALL, '');
  const isMistake = option !== undefined && status === 400;
  // The jar's filter errors say what is wrong with the value but not which parameter it belongs to.
  if (isMistake && code === 'BadFilter') message = `${option}: ${message}`;
  return new RefusedByJar(message, {
    code,
    target: error.target,
    status,
    exitCode: isMistake ? EXIT_USAGE : error.exitCode,
  });
}

/** `match.path` for `match.path[0]`, and `match` for `match.path` if there is no longer entry. */
function nameOf(target: string, names: OptionNames): string | undefined {
  let name = target;
  for (;;) {
    if (Object.hasOwn(names, name)) return names[name];
    const cut = Math.max(name.lastIndexOf('.'), name.lastIndexOf('['));
    if (cut <= 0) return undefined;
    name = name.slice(0, cut);
  }
}
