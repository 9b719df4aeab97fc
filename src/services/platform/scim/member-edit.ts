import type { Json } from '../../../kernel/values/index.ts';
import { valuesIn } from './draft.ts';
import { invalid } from './errors.ts';
import type { ScimFilter } from './filter.ts';
import type { PatchPath } from './patch-path.ts';

/** The largest group contains all principals and groups of an account. */
const MOST_MEMBERS = 100_000;

/**
 * The changes that a request makes to the members of a group, without reading the current members: the cost of changing a group of 10,000
 * members depends only on the number of changes.
 */
export class MemberEdit {
  /** The added members replace all current members. */
  replaces = false;
  readonly added = new Set<string>();
  readonly removed = new Set<string>();

  static replacing(ids: Iterable<string>): MemberEdit {
    const edit = new MemberEdit();
    edit.#clear();
    edit.#add(ids);
    return edit;
  }

  get isEmpty(): boolean {
    return !this.replaces && this.added.size === 0 && this.removed.size === 0;
  }

  apply(op: 'add' | 'remove' | 'replace', { filter, sub }: PatchPath, value: Json | undefined): void {
    if (sub !== undefined && sub !== 'value')
      throw invalid('mutability', `The sub-attribute '${sub}' of a member cannot be changed.`);
    if (filter) {
      if (op !== 'remove') throw invalid('mutability', 'A member is added or removed, not changed.');
      this.#remove(idsIn(filter));
      return;
    }
    const ids =
      value === undefined || value === null ? undefined : valuesIn({ members: value }, 'members', MOST_MEMBERS);
    if (op === 'remove') {
      if (ids) this.#remove(ids);
      else this.#clear();
      return;
    }
    if (op === 'replace') this.#clear();
    this.#add(ids ?? []);
  }

  #clear(): void {
    this.replaces = true;
    this.added.clear();
    this.removed.clear();
  }

  #add(ids: Iterable<string>): void {
    for (const id of ids) {
      this.added.add(id);
      this.removed.delete(id);
    }
  }

  #remove(ids: Iterable<string>): void {
    for (const id of ids) {
      this.added.delete(id);
      if (!this.replaces) this.removed.add(id);
    }
  }
}

/** Parses `members[value eq "1" or value eq "2"]`: members are selected only by their ids. */
function idsIn(filter: ScimFilter): readonly string[] {
  if (filter.op === 'or') return filter.args.flatMap(idsIn);
  if (filter.op === 'compare' && filter.operator === 'eq' && filter.path.attribute === 'value')
    return [String(filter.value)];
  throw invalid(
    'invalidFilter',
    'Members can only be selected by their ids: members[value eq "123"], joined by \'or\'.',
  );
}
