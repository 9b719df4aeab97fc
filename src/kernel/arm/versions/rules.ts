import type { VersionRules } from '../body/place.ts';
import type { Spellings } from './tree.ts';

type Words = ReadonlyMap<string, ReadonlySet<string>>;

/** Differences of a version from the newest one: words that it lacks or spells differently, and fields that it requires. */
export class FieldRules implements VersionRules {
  readonly #lacking: Words;
  readonly #required: ReadonlySet<string>;
  readonly #spellings: Spellings;

  constructor(lacking: Words, required: ReadonlySet<string>, spellings: Spellings) {
    this.#lacking = lacking;
    this.#required = required;
    this.#spellings = spellings;
  }

  get isEmpty(): boolean {
    return this.#lacking.size + this.#required.size + Object.keys(this.#spellings).length === 0;
  }

  requires(field: string): boolean {
    return this.#required.has(field);
  }

  spelledWords<Word extends string>(field: string, words: readonly Word[]): ReadonlyMap<string, Word> | undefined {
    const lacking = this.#lacking.get(field);
    const spelled = this.#spellings[field];
    if (!lacking && !spelled) return undefined;
    return new Map(words.flatMap((word) => (lacking?.has(word) ? [] : [[spelled?.[word] ?? word, word] as const])));
  }

  /**
   * The rules for a body that contains only the members `names` of `properties`, parsed at the path `at`. Used for a PATCH, for example,
   * whose other members come from the stored resource and may be newer than the version.
   */
  forMembers(names: readonly string[], at: string): FieldRules {
    const moved = (field: string): string[] => {
      const below = /^properties\.(\w+)/.exec(field);
      if (!below?.[1] || !names.includes(below[1])) return [];
      return [at === '' ? field.slice('properties.'.length) : field];
    };
    return new FieldRules(
      new Map([...this.#lacking].flatMap(([field, words]) => moved(field).map((to) => [to, words] as const))),
      new Set([...this.#required].flatMap(moved)),
      Object.fromEntries(
        Object.entries(this.#spellings).flatMap(([field, words]) => moved(field).map((to) => [to, words] as const)),
      ),
    );
  }
}
