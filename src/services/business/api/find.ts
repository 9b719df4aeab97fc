import { isGuid } from '../../../kernel/odata/index.ts';
import { errors } from '../errors.ts';
import { records } from '../records/collection.ts';
import { conditions, TABLE_ORDER, type Where } from '../records/conditions.ts';
import { keyOf, listOf, NO_GUID, Row } from '../records/row.ts';
import { DERIVED } from '../rules/derived.ts';
import { emptyPicture } from './pictures.ts';
import type { Session } from './session.ts';
import type { Place } from './target.ts';

export const scopeOf = (session: Session, { table, company }: Pick<Place, 'table' | 'company'>): string =>
  table.scope === 'tenant' ? session.tenantId : (company?.key ?? '');

/** The record that a key in an address identifies; throws if it is not in the set. */
export async function readOne(session: Session, place: Place, key: string): Promise<Row> {
  const row = await lookUp(session, place, key);
  if (row && matches(row, place.where)) return row;
  throw errors.Internal_RecordNotFound({ entity: place.page.entity, id: key.slice(0, 100) });
}

async function lookUp(session: Session, place: Place, key: string): Promise<Row | undefined> {
  const { page } = place;
  if (page.keyed) {
    const where = page.keyed(key);
    return where && findOne(session, { ...place, where: { ...place.where, ...where } });
  }
  if (!isGuid(key)) {
    throw errors.BadRequest_NotFound({
      reason: `The key of ${page.set} must be a GUID; '${key.slice(0, 100)}' is not one.`,
    });
  }
  if (page.derived !== undefined) {
    return (await derivedRows(session, place)).find(({ id }) => id === key.toLowerCase());
  }
  return byId(session, place, key);
}

async function byId(session: Session, place: Place, id: string): Promise<Row | undefined> {
  const scope = scopeOf(session, place);
  const stored = await session.reader.get(records, keyOf(scope, place.table, id.toLowerCase()), 'none');
  return stored ? new Row(place.table, stored) : emptyPicture(place, scope, id.toLowerCase());
}

/** The first record of a set, or undefined if the set is empty. */
export async function findOne(session: Session, place: Place): Promise<Row | undefined> {
  const { where, table, page } = place;
  if (where.id === NO_GUID) return undefined;
  if (page.derived !== undefined) return (await derivedRows(session, place))[0];
  if (typeof where.id === 'string') {
    const row = await byId(session, place, where.id);
    return row && matches(row, where) ? row : undefined;
  }
  const filter = conditions(table, listOf(scopeOf(session, place), table), where);
  const { items } = await session.reader.query(records, { filter, order: TABLE_ORDER, limit: 1 });
  return items[0] && new Row(table, items[0]);
}

export const matches = (row: Row, where: Where): boolean =>
  Object.entries(where).every(([name, value]) => row.get(name) === value);

/** Rows of a derived page, computed on request. */
export async function derivedRows(session: Session, { page, company, parent }: Place): Promise<readonly Row[]> {
  const derive = DERIVED[page.derived as string];
  if (!derive || !company) throw new Error(`nothing derives the rows of '${page.set}'`);
  return derive(session.reader, session.model, company, parent, session.now);
}
