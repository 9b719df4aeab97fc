import { errors } from '../errors.ts';
import type { Relation, Table } from '../model/types.ts';
import type { Books, Draft } from './books.ts';
import { emptyValue, fieldOf, NO_GUID, type Row } from './row.ts';

/** Keeps the id and the code of a related record in sync, and refuses references to missing records. */
export async function resolveRelations(
  books: Books,
  table: Table,
  draft: Draft,
  given: ReadonlySet<string>,
): Promise<void> {
  for (const relation of table.relations ?? []) {
    if (!applies(relation, draft)) continue;
    const { id, code } = relation;
    // If both are given, the id takes precedence, because it is exact.
    if (id !== undefined && given.has(id) && !(draft[id] === NO_GUID && code !== undefined && given.has(code))) {
      await byId(books, table, draft, relation, id, given);
    } else if (code !== undefined && given.has(code)) await byCode(books, table, draft, relation, code, given);
  }
}

const applies = ({ when = {} }: Relation, draft: Draft): boolean =>
  Object.entries(when).every(([field, value]) => draft[field] === value);

async function byId(
  books: Books,
  table: Table,
  draft: Draft,
  relation: Relation,
  id: string,
  given: ReadonlySet<string>,
): Promise<void> {
  if (draft[id] === NO_GUID) return clear(table, draft, relation, given);
  const other = await books.get(relation.to, draft[id] as string);
  const isWithin =
    other && Object.entries(relation.within ?? {}).every(([theirs, own]) => other.get(theirs) === draft[own]);
  if (!other || !isWithin) throw missing(books, relation, id, String(draft[id]));
  fill(draft, relation, other, given);
}

async function byCode(
  books: Books,
  table: Table,
  draft: Draft,
  relation: Relation,
  code: string,
  given: ReadonlySet<string>,
): Promise<void> {
  if (draft[code] === '') return clear(table, draft, relation, given);
  const { key } = books.model.table(relation.to);
  if (key === undefined) throw new Error(`the table '${relation.to}' has no key to find a record by`);
  const within = Object.entries(relation.within ?? {}).map(([theirs, own]) => [theirs, draft[own] as string] as const);
  const other = await books.find(relation.to, { [key]: draft[code] as string, ...Object.fromEntries(within) });
  if (!other) throw missing(books, relation, code, String(draft[code]));
  fill(draft, relation, other, given);
}

/** A value that is set together with the relation overrides the value copied from the other record. */
function fill(draft: Draft, { id, code, copies = {} }: Relation, other: Row, given: ReadonlySet<string>): void {
  if (id !== undefined) draft[id] = other.id;
  if (code !== undefined) draft[code] = other.get(other.table.key as string);
  for (const [own, theirs] of Object.entries(copies)) if (!given.has(own)) draft[own] = other.get(theirs);
}

function clear(table: Table, draft: Draft, { id, code, copies = {} }: Relation, given: ReadonlySet<string>): void {
  const copied = Object.keys(copies).filter((name) => !given.has(name));
  for (const name of [id, code, ...copied]) {
    if (name !== undefined) draft[name] = emptyValue(fieldOf(table, name));
  }
}

function missing(books: Books, { to }: Relation, field: string, value: string): Error {
  const table = books.model.table(to).caption;
  return errors.Internal_InvalidTableRelation({ field, value, table }, { target: field });
}
