import type { ApiError } from '../../http/errors.ts';
import type { Mistakes } from './mistakes.ts';
import { joined } from './path.ts';
import type { Expected, Wording } from './wording.ts';

/** Creates the error for a mistake at a place; `expected` is what the api-version of the request expects there. */
export type Complaint = (spot: Spot, expected?: Expected) => ApiError;

/** Facts about a place in the body that an error message needs. */
export interface Spot {
  /** `properties.containers[0].name`; empty for the body itself. */
  readonly target: string;
  /** Name of the member; for a list entry, the member that contains the list. */
  readonly name: string;
  readonly isEntry: boolean;
  /** Whether null is allowed, as for every member of an object. */
  readonly mayBeNull: boolean;
  /** The value as sent. */
  readonly value: unknown;
}

/** State shared by all places of one body. */
export interface Reading<Context> {
  readonly context: Context;
  readonly mistakes: Mistakes;
  readonly wording: Wording;
  /** Whether a required text of blanks only counts as missing. */
  readonly blankIsMissing: boolean;
  /** Aliases of the canonical provider prefix. */
  readonly aliases: readonly string[];
  /** Undefined if the api-version does not differ from the declaration. */
  readonly rules: VersionRules | undefined;
  /** List entries from this index on are kept as sent. */
  readonly unreadBeyond: number;
}

/** Differences of an api-version from the declaration. Paths of fields are such as `properties.containers[].name`. */
export interface VersionRules {
  /** Whether this version requires a field that is optional otherwise. */
  requires(field: string): boolean;
  /** Allowed words of a field, keyed by their spelling in this version; undefined if they are those of the declaration. */
  spelledWords<Word extends string>(field: string, words: readonly Word[]): ReadonlyMap<string, Word> | undefined;
}

/** Positions of an object's members, in order of declaration. */
export type MemberSteps = ReadonlyMap<string, number>;

/** Position of a field in a body. Passed to rules of a service, which report mistakes through it. */
export class Place<out Context = unknown> implements Spot {
  readonly value: unknown;
  readonly mayBeNull: boolean;
  readonly reading: Reading<Context>;
  readonly #parent: Place<Context> | undefined;
  readonly #key: string | number;
  /** Position among the declared members, or index of the list entry. */
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

  /** The path without indexes, equal for all entries of a list or map: `properties.containers[].name`, `tags.*`. */
  get field(): string {
    this.#field ??= this.reading.mistakes.fieldBelow(
      this.#parent?.field ?? '',
      typeof this.#key === 'number' ? '[]' : this.#key,
    );
    return this.#field;
  }

  /** Called by the object that is parsed at this place. */
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

  /** Positions from the root of the body to this place. */
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
