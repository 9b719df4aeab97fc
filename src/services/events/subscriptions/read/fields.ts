import type { Mistakes } from './mistakes.ts';

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LONGEST_SHOWN = 60;
const shown = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The members of an object in a request: each is read by what it should be, and what is wrong with it is noted under its path. Null is as
 * good as absent, and members that nobody reads are nobody's mistake.
 */
export class Fields {
  readonly at: string;
  readonly mistakes: Mistakes;
  readonly #members: Members;

  constructor(members: Members, at: string, mistakes: Mistakes) {
    this.#members = members;
    this.at = at;
    this.mistakes = mistakes;
  }

  /** The path of a member. */
  path(name: string): string {
    return this.at === '' ? name : `${this.at}.${name}`;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? undefined) : undefined;
  }

  wrong(name: string, message: string): undefined {
    this.mistakes.add(this.path(name), message);
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.wrong(name, `'${name}' has to be a string.`);
  }

  requiredText(name: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && value.trim() !== '') return value;
    // What is no string has been told of.
    if (value === undefined && this.has(name)) return undefined;
    return this.wrong(name, `'${name}' is required.`);
  }

  integer(name: string, { from, to }: Range): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to) return value as number;
    return this.wrong(name, `'${name}' has to be a whole number from ${from} to ${to}.`);
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.wrong(name, `'${name}' has to be true or false.`);
  }

  /** One of a few words, compared without regard to case. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = words.find((word) => word.toLowerCase() === value.toLowerCase());
    return found ?? this.wrong(name, `'${name}' has to be one of ${words.join(', ')}, not '${shown(value)}'.`);
  }

  object(name: string): Fields | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (isObject(value)) return new Fields(value, this.path(name), this.mistakes);
    return this.wrong(name, `'${name}' has to be an object.`);
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.raw(name);
    if (value === undefined || Array.isArray(value)) return value;
    return this.wrong(name, `'${name}' has to be an array.`);
  }

  /** Objects of a list; what is none is told of and left out. */
  objects(name: string): readonly Fields[] {
    return (this.list(name) ?? []).flatMap((value, i) => {
      if (isObject(value)) return [new Fields(value, `${this.path(name)}[${i}]`, this.mistakes)];
      this.wrong(`${name}[${i}]`, `What is in '${name}' has to be objects.`);
      return [];
    });
  }

  texts(name: string): readonly string[] | undefined {
    return this.list(name)?.flatMap((value, i) => {
      if (typeof value === 'string') return [value];
      this.wrong(`${name}[${i}]`, `What is in '${name}' has to be strings.`);
      return [];
    });
  }
}
