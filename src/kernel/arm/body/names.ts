import { isObject } from '../../values/objects.ts';
import type { AnyField, AnyMembers } from './field.ts';
import type { MemberSteps } from './place.ts';

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** Which member of an object each name means that a client may write. */
export class MemberNames {
  readonly steps: MemberSteps;
  /** By the name in lower case. */
  readonly #names = new Map<string, string>();
  readonly #aliases = new Map<string, string>();

  /** `first` come before the others in the order of mistakes; they may be names beside those of the members. */
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
   * What was sent for each member. The declared name is stronger than the same in another case, and that is stronger than an alias; of
   * equals the last one counts, as it does in JSON.
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

/** A body whose members have the names of the declaration; what is below them and what was not declared stays. */
export function withDeclaredNames({ shape }: AnyField, given: unknown): Readonly<Record<string, unknown>> {
  if (shape.kind !== 'object' || !isObject(given)) return {};
  const members = shape.members(given);
  const names = new MemberNames(members);
  const others = Object.entries(given).filter(([name]) => !names.knows(name));
  return Object.fromEntries([...others, ...names.pick(given)]);
}
