import type { Json } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import type { MetricValue } from './collections.ts';
import { trackingErrors } from './errors.ts';
import { checkLength } from './names.ts';

/**
 * Reads the members of a request of experiment tracking and the model registry: from the query of a read, from the body of a write, and
 * from both for a delete, since clients differ there. `null` counts as absent, unknown members are ignored, 64-bit numbers may be sent as
 * text, and a wrong type is refused with the message of the real service.
 */
export class Request {
  readonly #members: Readonly<Record<string, unknown>>;
  /** Prefix of names in messages: `metrics[0].`. */
  readonly #prefix: string;

  constructor(members: Readonly<Record<string, unknown>>, prefix = '') {
    this.#members = members;
    this.#prefix = prefix;
  }

  static of({ method, body, query }: Pick<PlatformCall, 'method' | 'body' | 'query'>): Request {
    if (method === 'GET' || method === 'HEAD') return new Request(query);
    return method === 'DELETE' ? new Request({ ...(isObject(body) && body), ...query }) : Request.ofBody(body);
  }

  static ofBody(body: unknown): Request {
    if (body === undefined || body === null) return new Request({});
    if (!isObject(body))
      throw errors.MALFORMED_REQUEST({ reason: 'Could not parse request object: the body must be an object.' });
    return new Request(body);
  }

  /** The name of a member in messages. */
  path(name: string): string {
    return this.#prefix + name;
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value !== undefined && typeof value !== 'string') throw this.#wrongType(name, value);
    return value;
  }

  /** A required text that must not be empty. */
  need(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw this.missing(name);
    return value;
  }

  /** A required text. */
  needAny(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.missing(name);
    return value;
  }

  /** A text of at most `most` characters. */
  short(name: string, most: number): string | undefined {
    const value = this.text(name);
    checkLength(value ?? '', this.path(name), most);
    return value;
  }

  word<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    const word = words.find((each) => each === value);
    if (word === undefined) throw this.#wrongType(name, value);
    return word;
  }

  whole(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || value === '') return undefined;
    const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw this.#wrongType(name, value);
    // Turns -0 into 0.
    return number + 0;
  }

  needWhole(name: string): number {
    const value = this.whole(name);
    if (value === undefined) throw this.missing(name);
    return value;
  }

  /** In a query: `true` or `false`, in any case. */
  flag(name: string): boolean | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.toLowerCase() : undefined;
    if (word !== 'true' && word !== 'false') throw this.#wrongType(name, value);
    return word === 'true';
  }

  /** A double: a number, its text form, or a word for a value that JSON has no number for. */
  needValue(name: string): MetricValue {
    const value = this.#get(name);
    if (value === undefined) throw this.missing(name);
    if (typeof value === 'number') return finiteOrWord(value);
    if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
    if (typeof value === 'string' && value.length <= MOST_DIGITS && NUMBER.test(value))
      return finiteOrWord(Number(value));
    throw this.#wrongType(name, value);
  }

  /** A list of texts. A query parameter that occurs once is a list of one text. */
  texts(name: string): readonly string[] {
    const value = this.#get(name);
    if (value === undefined) return [];
    if (typeof value === 'string') return [value];
    const isText = (each: unknown): each is string => typeof each === 'string';
    if (!Array.isArray(value) || !value.every(isText)) throw this.#wrongType(name, value);
    return value;
  }

  /** A list of objects. */
  list(name: string): readonly Request[] {
    const value = this.#get(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.#wrongType(name, value);
    return value.map((each, index) => {
      if (!isObject(each)) throw this.#wrongType(`${name}[${index}]`, each);
      return new Request(each, `${this.#prefix}${name}[${index}].`);
    });
  }

  /** An object. */
  member(name: string): Request | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw this.#wrongType(name, value);
    return new Request(value, `${this.#prefix}${name}.`);
  }

  /** An unvalidated member. */
  value(name: string): Json | undefined {
    return this.#get(name) as Json | undefined;
  }

  /** All members. Members of bodies come from JSON. */
  get json(): Json {
    return this.#members as Json;
  }

  names(): readonly string[] {
    return Object.keys(this.#members);
  }

  missing(name: string) {
    return trackingErrors.INVALID_PARAMETER_VALUE__Missing({ name: this.path(name) });
  }

  /** The error for an invalid value. */
  invalid(name: string, value: unknown, reason: string) {
    return trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `Invalid value ${shown(value)} for parameter '${this.path(name)}' supplied: ${reason}`,
    });
  }

  #wrongType(name: string, value: unknown) {
    return trackingErrors.INVALID_PARAMETER_VALUE__Type({
      value: shown(value),
      name: this.path(name),
      type: typeName(value),
    });
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
    return value === null ? undefined : value;
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const MOST_DIGITS = 400;

/** JSON numbers such as 1e999 are parsed as infinite. */
function finiteOrWord(number: number): MetricValue {
  if (Number.isFinite(number)) return number + 0;
  return number > 0 ? 'Infinity' : '-Infinity';
}

const MOST_SHOWN = 300;

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MOST_SHOWN)) : JSON.stringify(value);
  return text.length > MOST_SHOWN + 2 ? `${text.slice(0, MOST_SHOWN)}…`.toWellFormed() : text;
};

/** Type names in messages of the real service, which is written in Python. */
function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return 'dict';
}
