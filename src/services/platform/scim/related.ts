import type { Reader } from '../../../kernel/store/index.ts';
import { allMembersOf, groupsOfEach } from '../accounts/members.ts';
import { principalOf } from '../accounts/principals.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { invalid, shown } from './errors.ts';
import type { AttributePath, ScimFilter } from './filter.ts';
import type { ScimPlace } from './place.ts';

/**
 * Prepares a filter for evaluation: checks that every attribute exists, and replaces `groups.value eq` and `members.value eq`, which have
 * no column, with the ids that satisfy them, so that the store can still evaluate them.
 */
export async function relatedFilter(reader: Reader, place: ScimPlace, filter: ScimFilter): Promise<ScimFilter> {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const args: ScimFilter[] = [];
      for (const arg of filter.args) args.push(await relatedFilter(reader, place, arg));
      return { op: filter.op, args };
    }
    case 'not':
      return { op: 'not', arg: await relatedFilter(reader, place, filter.arg) };
    case 'some':
      checkKnown({ attribute: filter.attribute }, place);
      return filter;
    case 'compare': {
      const { operator, path, value } = filter;
      checkKnown(path, place);
      const isId = (path.sub ?? 'value') === 'value' && typeof value === 'string';
      if (!isId || (operator !== 'eq' && operator !== 'ne')) return filter;
      const ids = await relatedIds(reader, place, path.attribute, value);
      if (!ids) return filter;
      const among: ScimFilter = { op: 'among', ids };
      return operator === 'eq' ? among : { op: 'not', arg: among };
    }
    case 'present':
      checkKnown(filter.path, place);
      return filter;
    default:
      return filter;
  }
}

async function relatedIds(
  reader: Reader,
  { account }: ScimPlace,
  attribute: string,
  id: string,
): Promise<ReadonlySet<string> | undefined> {
  if (attribute === 'groups') {
    const group = await principalOf(reader, account.id, id);
    return group ? allMembersOf(reader, account.id, [id]) : new Set();
  }
  if (attribute === 'members') return new Set((await groupsOfEach(reader, account.id, [id])).get(id) ?? []);
  return undefined;
}

function checkKnown({ attribute, sub }: AttributePath, { kind }: ScimPlace): void {
  const { attributes, title } = RESOURCE_KINDS[kind];
  const known = attributes.get(attribute);
  const isSub = sub === undefined || (known?.subs ?? []).some((each) => each.toLowerCase() === sub);
  if (known && isSub) return;
  const name = sub === undefined ? attribute : `${attribute}.${sub}`;
  throw invalid('invalidFilter', `A ${title} has no attribute '${shown(name)}'.`);
}
