import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';

const SEE = 'See the API docs for more information about request parameters.';

/** The names that the real service gives to types of JSON values. */
function typeNameOf(value: unknown): string {
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (value === null) return 'NoneType';
  return Array.isArray(value) ? 'list' : 'dict';
}

export const missingValue = (name: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `Missing value for required parameter '${name}'. ${SEE}` });

export const invalidValue = (name: string, value: unknown) =>
  errors.INVALID_PARAMETER_VALUE({
    reason:
      `Invalid value ${JSON.stringify(value).slice(0, 200)} for parameter '${name}' supplied: ` +
      `Hint: Value was of type '${typeNameOf(value)}'. ${SEE}`,
  });

/**
 * The arguments of a call of the registry, in the words of the real service. Calls that read or delete have them in the query, those that delete also in the
 * body (open-source clients), all others in the body. Absent and `null` are the same, unknown ones are ignored.
 */
export class Arguments {
  readonly #members: Readonly<Record<string, unknown>>;
  /** `tags[0].` in front of the names in messages, for an object within the body. */
  readonly #prefix: string;

  constructor(members: unknown, prefix = '') {
    if (members !== undefined && members !== null && (typeof members !== 'object' || Array.isArray(members))) {
      if (prefix !== '') throw invalidValue(prefix, members);
      throw errors.MALFORMED_REQUEST({ reason: 'Could not parse request object: the body must be an object.' });
    }
    this.#members = { ...members };
    this.#prefix = prefix === '' ? '' : `${prefix}.`;
  }

  static of({ method, query, body }: Pick<PlatformCall, 'method' | 'query' | 'body'>): Arguments {
    if (method !== 'GET' && method !== 'HEAD' && method !== 'DELETE') return new Arguments(body);
    const fromBody = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
    return new Arguments({ ...fromBody, ...query });
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value !== undefined && typeof value !== 'string') throw this.#invalid(name, value);
    return value;
  }

  /** A text that must be there and not empty. */
  need(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw missingValue(this.#prefix + name);
    return value;
  }

  /** A text of at most so many characters. */
  short(name: string, most: number): string | undefined {
    const value = this.text(name);
    if (value !== undefined && value.length > most)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `'${this.#prefix}${name}' exceeds the maximum length of ${most} characters`,
      });
    return value;
  }

  /** 64-bit numbers may come as text. */
  whole(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || value === '') return undefined;
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw this.#invalid(name, value);
    return number;
  }

  flag(name: string): boolean | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    if (word !== 'true' && word !== 'false') throw this.#invalid(name, value);
    return word === 'true';
  }

  /** A list of texts; in a query one alone is a list as well. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const list = typeof value === 'string' ? [value] : value;
    const isText = (each: unknown): each is string => typeof each === 'string';
    if (!Array.isArray(list) || !list.every(isText)) throw this.#invalid(name, value);
    return list;
  }

  list(name: string): readonly Arguments[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.#invalid(name, value);
    return value.map((each, index) => new Arguments(each, `${this.#prefix}${name}[${index}]`));
  }

  member(name: string): Arguments | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : new Arguments(value, this.#prefix + name);
  }

  /** As it was sent: for values that may be of several types. */
  raw(name: string): unknown {
    return this.#get(name);
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
    return value === null ? undefined : value;
  }

  #invalid(name: string, value: unknown) {
    return invalidValue(this.#prefix + name, value);
  }
}

/** The number of a version, which comes as text or as a number. */
export function versionIn(sent: Arguments, name = 'version'): number {
  const value = sent.raw(name);
  if (value === undefined || value === '') throw missingValue(name);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `Model version must be an integer, got '${String(value).slice(0, 100)}'`,
  });
}
