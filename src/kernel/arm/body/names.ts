import { isObject } from '../../values/objects.ts';
import type { AnyField, AnyMembers } from './field.ts';
import type { MemberSteps } from './place.ts';

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** Maps the names that a client may use to the members of an object. */
export class MemberNames {
  readonly steps: MemberSteps;
  /** By name in lower case. */
  readonly #names = new Map<string, string>();
  readonly #aliases = new Map<string, string>();

  /** `first` lists names whose mistakes come first; it may contain names that are no members. */
  constructor(members: AnyMembers, first: readonly string[] = []) {
    const declared = [...new Set([...first, ...Object.keys(members)])];
    this.steps = new Map(declared.map((name, step) => [name, step]));
    for (const name of declared) this.#names.set(name.toLowerCase(), name);
    for (const [name, { options }] of Object.entries(members))
      for (const alias of options.aliases ?? []) this.#aliases.set(alias.toLowerCase(), name);
  }

  knows(name: string): boolean {
    return this.#names.has(name.toLowerCase()) || this.#aliases.has(name.toLowerCase());
  }

  /**
   * The value sent for each member. An exact name wins over one in another case, which wins over an alias; among equal ones the last wins,
   * as in JSON.
   */
  pick(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
    const keys = Object.keys(given);
    if (keys.length === 0) return NOTHING;
    const exact = new Map<string, unknown>();
    const others = keys.filter((key) => {
      const isExact = this.steps.has(key);
      if (isExact) exact.set(key, given[key]);
      return !isExact;
    });
    return others.length === 0 ? exact : this.#pickOthers(given, others, exact);
  }

  #pickOthers(
    given: Readonly<Record<string, unknown>>,
    others: readonly string[],
    exact: ReadonlyMap<string, unknown>,
  ): ReadonlyMap<string, unknown> {
    const inOtherCase = new Map<string, unknown>();
    const byAlias = new Map<string, unknown>();
    for (const key of others) {
      const value = given[key];
      const lower = key.toLowerCase();
      const name = this.#names.get(lower);
      if (name !== undefined) inOtherCase.set(name, value);
      else {
        const meant = this.#aliases.get(lower);
        if (meant !== undefined) byAlias.set(meant, value);
      }
    }
    return new Map([...byAlias, ...inOtherCase, ...exact]);
  }
}

/** Renames members to their declared names; nested members and undeclared ones stay. */
export function withDeclaredNames({ shape }: AnyField, given: unknown): Readonly<Record<string, unknown>> {
  if (shape.kind !== 'object' || !isObject(given)) return {};
  const members = shape.members(given);
  const names = new MemberNames(members);
  const others = Object.entries(given).filter(([name]) => !names.knows(name));
  return Object.fromEntries([...others, ...names.pick(given)]);
}
