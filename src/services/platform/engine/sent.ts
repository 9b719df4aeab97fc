import { errors } from '../errors.ts';

/**
 * Reads members of a body or query by name and type: `null` counts as absent, unknown members are ignored, a wrong type is refused. For
 * operations without a declared kind of object (`fields.ts` handles those).
 */
export class Sent {
  readonly #members: Readonly<Record<string, unknown>>;
  /** Prefix of names in messages, for example `token.` for an object within the body. */
  readonly #prefix: string;

  constructor(body: unknown, prefix = '') {
    if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
      throw malformed(prefix === '' ? 'the body must be an object' : `the field '${prefix}' must be an object`);
    this.#members = { ...body };
    this.#prefix = prefix === '' ? '' : `${prefix}.`;
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value !== undefined && typeof value !== 'string') throw this.#wrongType(name, 'a string');
    return value;
  }

  /** A required text, which must not be empty. */
  need(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '')
      throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: this.#prefix + name });
    return value;
  }

  /** One of these words. */
  word<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const word = words.find((each) => each === value);
    if (word === undefined)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The field '${this.#prefix}${name}' must be one of ${words.join(', ')}, not '${value.slice(0, 100)}'.`,
      });
    return word;
  }

  /** The JSON of protocol buffers has 64-bit numbers as text. */
  whole(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw this.#wrongType(name, 'an integer');
    return number;
  }

  flag(name: string): boolean | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#wrongType(name, 'a boolean');
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const isText = (each: unknown): each is string => typeof each === 'string';
    if (!Array.isArray(value) || !value.every(isText)) throw this.#wrongType(name, 'an array of strings');
    return value;
  }

  /** A list of objects. */
  list(name: string): readonly Sent[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.#wrongType(name, 'an array');
    return value.map((each, index) => new Sent(each, `${this.#prefix}${name}[${index}]`));
  }

  /** All members, for objects whose names are chosen by the client: all values must be texts. */
  all(): Readonly<Record<string, string>> {
    for (const name of Object.keys(this.#members))
      if (this.text(name) === undefined) throw this.#wrongType(name, 'a string');
    return { ...this.#members } as Record<string, string>;
  }

  member(name: string): Sent | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : new Sent(value, this.#prefix + name);
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
    return value === null ? undefined : value;
  }

  #wrongType(name: string, type: string) {
    return malformed(`the field '${this.#prefix}${name}' must be ${type}`);
  }
}

const malformed = (reason: string) =>
  errors.MALFORMED_REQUEST({ reason: `Could not parse request object: ${reason}.` });
