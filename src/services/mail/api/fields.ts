import { isObject } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';

/**
 * Validates JSON from clients. Names match case-insensitively, annotations (`@odata.type`) are ignored, and the first mistake is thrown as
 * the API's error with its path. A validator is called only for values that are present, including null.
 */
export type Read<T> = (value: unknown, at: string) => T;

/** The properties that were sent, by their declared names. */
export type Sent<F extends Readonly<Record<string, Read<unknown>>>> = { readonly [K in keyof F]?: ReturnType<F[K]> };

export function mistake(at: string, reason: string): Error {
  return errors.RequestBodyRead({ reason: `The value of '${at}' is not valid: ${reason}.` }, { target: at });
}

export const text =
  ({ longest = 1_000_000 }: { readonly longest?: number } = {}): Read<string> =>
  (value, at) => {
    if (typeof value !== 'string') throw mistake(at, `a string is expected, not ${named(value)}`);
    if (value.length > longest) throw mistake(at, `it has ${value.length} characters; the maximum is ${longest}`);
    return value;
  };

export const flag: Read<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  // Samples in the documentation send booleans as strings.
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw mistake(at, `true or false is expected, not ${named(value)}`);
};

export const number =
  (from: number, to: number): Read<number> =>
  (value, at) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      throw mistake(at, `a whole number is expected, not ${named(value)}`);
    if (value < from || value > to) throw mistake(at, `${value} is not between ${from} and ${to}`);
    return value;
  };

/** An enumeration value, matched case-insensitively. */
export const word =
  <const W extends string>(words: readonly W[]): Read<W> =>
  (value, at) => {
    const found = typeof value === 'string' && words.find((each) => each.toLowerCase() === value.toLowerCase());
    if (found) return found;
    throw mistake(at, `one of ${words.join(', ')} is expected, not ${named(value)}`);
  };

export const list =
  <T>(read: Read<T>, most = 10_000): Read<readonly T[]> =>
  (value, at) => {
    if (!Array.isArray(value)) throw mistake(at, `an array is expected, not ${named(value)}`);
    if (value.length > most) throw mistake(at, `it has ${value.length} elements; the maximum is ${most}`);
    return value.map((each, index) => read(each, `${at}[${index}]`));
  };

export const nullable =
  <T>(read: Read<T>): Read<T | null> =>
  (value, at) =>
    value === null ? null : read(value, at);

/** Rejects undeclared properties, as the real service does; the error names the type. */
export const object =
  <F extends Readonly<Record<string, Read<unknown>>>>(type: string, fields: F): Read<Sent<F>> =>
  (value, at) =>
    readObject(type, fields, value, at);

/**
 * Accepts any value. For read-only properties, which clients send back as received, and for values that are validated later with the rest
 * of the item.
 */
export const anyValue: Read<unknown> = (value) => value;

/** Validators of read-only properties: any value is accepted. */
export const readOnly = <const N extends string>(names: readonly N[]): Readonly<Record<N, Read<unknown>>> =>
  Object.fromEntries(names.map((name) => [name, anyValue])) as Record<N, Read<unknown>>;

/** Accepts any object. */
export const anyObject: Read<Readonly<Record<string, unknown>>> = (value, at) => {
  if (!isObject(value)) throw mistake(at, `an object is expected, not ${named(value)}`);
  return value;
};

const lowerNames = new WeakMap<object, ReadonlyMap<string, string>>();

function readObject<F extends Readonly<Record<string, Read<unknown>>>>(
  type: string,
  fields: F,
  value: unknown,
  at: string,
): Sent<F> {
  if (!isObject(value)) throw mistake(at === '' ? 'body' : at, `an object is expected, not ${named(value)}`);
  let names = lowerNames.get(fields);
  if (!names) {
    names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
    lowerNames.set(fields, names);
  }
  const sent: Record<string, unknown> = {};
  for (const [written, member] of Object.entries(value)) {
    if (written.includes('@')) continue;
    const name = names.get(written.toLowerCase());
    if (name === undefined) {
      const reason = `The property '${written.slice(0, 100)}' does not exist on type 'microsoft.graph.${type}'. Make sure to only use property names that are defined by the type.`;
      throw errors.RequestBodyRead({ reason }, { target: written });
    }
    if (name in sent) throw mistake(written, 'it is given twice');
    sent[name] = fields[name]!(member, at === '' ? name : `${at}/${name}`);
  }
  return sent as Sent<F>;
}

/** Parameters of an action. A missing body is the same as an empty object. */
export const parameters = <F extends Readonly<Record<string, Read<unknown>>>>(
  action: string,
  fields: F,
  body: unknown,
): Sent<F> => (body === undefined || body === null ? {} : readObject(action, fields, body, ''));

function named(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? `'${value.slice(0, 60)}'` : String(value).slice(0, 60);
}
