import type { Reader, Stored } from '../../../../kernel/store/index.ts';
import { ATTRIBUTE, type OrderKey } from './language.ts';
import { type Searchable, type ValueColumn, valueSuffix } from './searchable.ts';
import { MISSING, RANK, type SortValue } from './sort.ts';
import { sortValue } from './sources.ts';

/** Number of documents per query by key. */
const AT_ONCE = 1000;

/** The values of records for these keys of an order, in the order of the records. A few queries for all of them. */
export async function readSortValues<T>(
  reader: Pick<Reader, 'query'>,
  searchable: Searchable<T>,
  things: readonly { readonly key: string; readonly thing?: Stored<T> }[],
  order: readonly OrderKey[],
): Promise<readonly (readonly SortValue[])[]> {
  const found: SortValue[][] = things.map(() => []);
  for (let start = 0; start < things.length; start += AT_ONCE) {
    const some = things.slice(start, start + AT_ONCE);
    const attributes = order.some(({ entity }) => entity === ATTRIBUTE)
      ? await whole(reader, searchable, some)
      : undefined;
    for (const { entity, key } of order) {
      const column = searchable.values[entity];
      const values = column && (await valuesOf(reader, column, some, key));
      for (const [i, thing] of some.entries()) {
        const attribute = attributes?.get(thing.key);
        const own = attribute && searchable.attributes[key]?.of?.(attribute);
        found[start + i]!.push(values ? (values.get(thing.key) ?? MISSING) : sortValue(own, MISSING));
      }
    }
  }
  return found;
}

async function whole<T>(
  reader: Pick<Reader, 'query'>,
  { collection }: Searchable<T>,
  things: readonly { readonly key: string; readonly thing?: Stored<T> }[],
): Promise<ReadonlyMap<string, T>> {
  const known = new Map(things.flatMap(({ key, thing }) => (thing ? [[key, thing.value] as const] : [])));
  const keys = things.flatMap(({ key }) => (known.has(key) ? [] : [key]));
  if (keys.length === 0) return known;
  const page = await reader.query(collection, { filter: { op: 'in', field: 'key', values: keys }, limit: keys.length });
  for (const { key, value } of page.items) known.set(key, value);
  return known;
}

async function valuesOf(
  reader: Pick<Reader, 'query'>,
  column: ValueColumn<never>,
  things: readonly { readonly key: string }[],
  name: string,
): Promise<ReadonlyMap<string, SortValue>> {
  const keys = things.map(({ key }) => key + valueSuffix(name));
  const page = await reader.query(column.collection, {
    filter: { op: 'in', field: 'key', values: keys },
    limit: keys.length,
  });
  return new Map(page.items.map(({ value }) => [column.thingOf(value), sortValue(column.valueOf(value), [RANK.nan])]));
}
