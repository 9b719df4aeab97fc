import { isObject } from '../../../kernel/values/index.ts';

/** Reads the properties of an item that is stored as sent. Names match case-insensitively; a value of the wrong type counts as missing. */
export class SentMembers {
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(sent: unknown) {
    const entries = isObject(sent) ? Object.entries(sent) : [];
    this.#members = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  }

  value(name: string): unknown {
    return this.#members.get(name.toLowerCase());
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : '';
  }

  flag(name: string): boolean {
    return this.value(name) === true;
  }

  object(name: string): SentMembers {
    return new SentMembers(this.value(name));
  }

  objects(name: string): readonly SentMembers[] {
    return this.list(name).map((each) => new SentMembers(each));
  }

  texts(name: string): readonly string[] {
    return this.list(name).filter((each) => typeof each === 'string');
  }

  list(name: string): readonly unknown[] {
    const value = this.value(name);
    return Array.isArray(value) ? value : [];
  }
}
