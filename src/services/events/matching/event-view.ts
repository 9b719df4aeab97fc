import type { Json } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { GridEvent, JsonObject } from '../event.ts';
import { fold } from './fold.ts';
import { type KeyPath, valueAt } from './keys.ts';
import type { Spelling } from './spelling.ts';

/** The value of an event under one key, with cached results for repeated comparisons. */
export class Found {
  readonly value: Json | undefined;
  readonly #spelling: Spelling;
  #forms: readonly string[] | undefined;
  #items: readonly Found[] | undefined;

  constructor(value: Json | undefined, spelling: Spelling) {
    this.value = value;
    this.#spelling = spelling;
  }

  /** Spellings of a text; empty for other values. */
  get forms(): readonly string[] {
    this.#forms ??= typeof this.value === 'string' ? this.#spelling.forms(this.value) : [];
    return this.#forms;
  }

  /** Items of an array; empty for other values. */
  get items(): readonly Found[] {
    this.#items ??= Array.isArray(this.value) ? this.value.map((item) => new Found(item, this.#spelling)) : [];
    return this.#items;
  }
}

/** One event as filters see it; values that many filters need are looked up once. */
export class EventView {
  readonly event: GridEvent;
  readonly subject: Found;
  readonly type: Found;
  readonly #spelling: Spelling;
  readonly #found = new Map<string, Found>();
  readonly #folded = new Map<object, ReadonlyMap<string, Json | undefined>>();

  constructor(event: GridEvent, spelling: Spelling) {
    this.event = event;
    this.#spelling = spelling;
    this.subject = new Found(event.subject, spelling);
    this.type = new Found(event.type, spelling);
  }

  at(path: KeyPath): Found {
    let found = this.#found.get(path.key);
    if (!found) {
      found = new Found(valueAt(this, path), this.#spelling);
      this.#found.set(path.key, found);
    }
    return found;
  }

  /** A member by its exact name, otherwise ignoring case. Inherited members do not count, and arrays have no members. */
  member(of: Json | JsonObject | undefined, name: string): Json | undefined {
    if (!isObject(of)) return undefined;
    if (Object.hasOwn(of, name)) return of[name];
    return this.members(of).get(fold(name));
  }

  /** Members by folded name; of names that differ only in case, the first. */
  members(of: JsonObject): ReadonlyMap<string, Json | undefined> {
    let members = this.#folded.get(of);
    if (!members) {
      const all = new Map<string, Json | undefined>();
      for (const name of Object.keys(of)) {
        const folded = fold(name);
        if (!all.has(folded)) all.set(folded, of[name]);
      }
      this.#folded.set(of, all);
      members = all;
    }
    return members;
  }
}
