import { unescape as decoded } from 'node:querystring';

/**
 * Query parameters without a prototype chain, so that any name can be a parameter. A class, because V8 turns an object created with a
 * `null` prototype into a hash table, which costs a small request 6 µs.
 */
class Parameters {
  [name: string]: string | string[];
}
Reflect.deleteProperty(Parameters.prototype, 'constructor');
Object.setPrototypeOf(Parameters.prototype, null);

/** Like `parse` of `node:querystring`, but without a limit of parameters: a repeated parameter becomes a list. */
export function parseQuery(text: string): Parameters {
  const parameters = new Parameters();
  let from = 0;
  while (from < text.length) {
    const ampersand = text.indexOf('&', from);
    const to = ampersand < 0 ? text.length : ampersand;
    if (to > from) addParameter(parameters, text.slice(from, to));
    from = to + 1;
  }
  return parameters;
}

function addParameter(parameters: Parameters, text: string): void {
  const equals = text.indexOf('=');
  const name = decode(equals < 0 ? text : text.slice(0, equals));
  const value = equals < 0 ? '' : decode(text.slice(equals + 1));
  const known = parameters[name];
  if (known === undefined) parameters[name] = value;
  else if (typeof known === 'string') parameters[name] = [known, value];
  else known.push(value);
}

/** Malformed escapes are kept as far as possible, as in browsers. */
const decode = (text: string): string =>
  text.includes('%') || text.includes('+') ? decoded(text.replaceAll('+', ' ')) : text;
