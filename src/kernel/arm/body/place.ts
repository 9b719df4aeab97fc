import type { ApiError } from '../../http/errors.ts';
import type { Mistakes } from './mistakes.ts';
import { joined } from './path.ts';
import type { Expected, Wording } from './wording.ts';

/** Makes the error for what is wrong at a place; `expected` is what the api-version of the request expects there. */
export type Complaint = (spot: Spot, expected?: Expected) => ApiError;

/** A place of the body as the words of an error need it. */
export interface Spot {
  /** `properties.containers[0].name`; empty for the body itself. */
  readonly target: string;
  /** The member, or for an entry of a list the member that holds the list. */
  readonly name: string;
  readonly isEntry: boolean;
  /** Whether null may stand there, as it may for every member of an object. */
  readonly mayBeNull: boolean;
  /** As it was sent. */
  readonly value: unknown;
}

/** What all places of one body share. */
export interface Reading<Context> {
  readonly context: Context;
  readonly mistakes: Mistakes;
  readonly wording: Wording;
  /** Whether a required text of nothing but blanks counts as missing. */
  readonly blankIsMissing: boolean;
  /** Provider prefixes that mean the same as the canonical one. */
  readonly aliases: readonly string[];
  /** Absent where the api-version has the rules that the fields declare. */
  readonly rules: VersionRules | undefined;
  /** Entries of a list from here on are kept as they were sent. */
  readonly unreadBeyond: number;
}

/** In what an api-version differs from the declaration. Fields have paths such as `properties.containers[].name`. */
export interface VersionRules {
  /** Whether a field must be there that need not be otherwise. */
  requires(field: string): boolean;
  /** The words that a field may have, by how the version writes them; absent where they are those of the declaration. */
  spelledWords<Word extends string>(field: string, words: readonly Word[]): ReadonlyMap<string, Word> | undefined;
}

/** The order of the members of an object, as declared. */
export type MemberSteps = ReadonlyMap<string, number>;

/** Where in a body a field is: passed to own rules, which complain through it. */
export class Place<out Context = unknown> implements Spot {
  readonly value: unknown;
  readonly mayBeNull: boolean;
  readonly reading: Reading<Context>;
  readonly #parent: Place<Context> | undefined;
  readonly #key: string | number;
  /** Position among the declared members, or the index of an entry. */
  readonly #step: number;
  #steps: MemberSteps | undefined;
  #field: string | undefined;

  private constructor(
    reading: Reading<Context>,
    parent: Place<Context> | undefined,
    key: string | number,
    step: number,
    value: unknown,
    { mayBeNull = false, field }: { readonly mayBeNull?: boolean; readonly field?: string } = {},
  ) {
    this.reading = reading;
    this.value = value;
    this.mayBeNull = mayBeNull;
    this.#field = field;
    this.#parent = parent;
    this.#key = key;
    this.#step = step;
  }

  static root<Context>(reading: Reading<Context>, path: string, value: unknown): Place<Context> {
    return new Place(reading, undefined, path, 0, value);
  }

  get context(): Context {
    return this.reading.context;
  }

  get isEntry(): boolean {
    return typeof this.#key === 'number';
  }

  get name(): string {
    return typeof this.#key === 'number' ? (this.#parent?.name ?? '') : this.#key;
  }

  get target(): string {
    return this.#path((key) => `[${key}]`);
  }

  /** The same for all entries of a list or a map: `properties.containers[].name`, `tags.*`. */
  get field(): string {
    this.#field ??= this.reading.mistakes.fieldBelow(
      this.#parent?.field ?? '',
      typeof this.#key === 'number' ? '[]' : this.#key,
    );
    return this.#field;
  }

  /** Said by the object that is read here. */
  ordered(steps: MemberSteps): void {
    this.#steps = steps;
  }

  /** A member of the object at this place. */
  member(name: string, value?: unknown): Place<Context> {
    const step = this.#steps?.get(name) ?? Number.MAX_SAFE_INTEGER;
    return new Place(this.reading, this, name, step, value, { mayBeNull: true });
  }

  /** An entry of the map at this place. */
  key(name: string, index: number, value: unknown, mayBeNull: boolean): Place<Context> {
    return new Place(this.reading, this, name, index, value, { mayBeNull, field: `${this.field}.*` });
  }

  /** An entry of the list at this place. */
  entry(index: number, value?: unknown): Place<Context> {
    return new Place(this.reading, this, index, index, value);
  }

  wrong(complaint: Complaint, kind = 'rule'): void {
    this.reading.mistakes.add(kind, () => complaint(this), this);
  }

  isBelow(other: Place): boolean {
    for (let at: Place | undefined = this.#parent; at; at = at.#parent) if (at.#isSame(other)) return true;
    return false;
  }

  /** Positions from the body down to here. */
  steps(): readonly { readonly step: number; readonly isEntry: boolean }[] {
    const own = { step: this.#step, isEntry: this.isEntry };
    return this.#parent ? [...this.#parent.steps(), own] : [];
  }

  #isSame(other: Place): boolean {
    if (this.#key !== other.#key || !this.#parent !== !other.#parent) return false;
    return !this.#parent || !other.#parent || this.#parent.#isSame(other.#parent);
  }

  #path(entry: (index: number) => string): string {
    const before = this.#parent ? this.#parent.#path(entry) : '';
    return joined(before, typeof this.#key === 'number' ? entry(this.#key) : this.#key);
  }
}
