import { newEtag } from '../document.ts';
import { quote, type SqlValue } from '../sql/dialect.ts';
import { endOfPrefix } from '../values.ts';
import { spellings } from './definitions.ts';
import type { TypedDialect } from './dialect.ts';
import { first, type Steps } from './steps.ts';

/** A column with more different texts than this is no list of names: it keeps every text as it was sent. */
export const MOST_SPELLINGS = 10_000;
/** Longer texts keep their own spelling: nobody writes them twice, and PostgreSQL has a bound for the keys of an index. */
const LONGEST_SPELLED = 256;
/** In no folded text. Stands for a column that has had too many texts. */
const OVERFLOWN = '\u0001';

/** Texts of one column in a batch: what they fold to, and the first spelling of each in the order of the rows. */
export interface ColumnTexts {
  readonly column: string;
  readonly firsts: Map<string, string>;
}

const prefixOf = (table: string, column: string): string => `${table}/${column}/`;

/**
 * Replaces the spellings of a batch by those that came first into their column. Only the distinct texts of the batch are looked up, all columns in one
 * statement; what is new is added in another.
 */
export function* spell(dialect: TypedDialect, table: string, texts: readonly ColumnTexts[]): Steps<void> {
  const overflown = yield* lookUp(
    dialect,
    texts.map(({ column }) => prefixOf(table, column) + OVERFLOWN),
  );
  const open = texts.filter(({ column }) => !overflown.has(prefixOf(table, column) + OVERFLOWN));
  for (const each of texts) if (!open.includes(each)) each.firsts.clear();
  for (const { firsts } of open)
    for (const fold of firsts.keys()) if (fold.length > LONGEST_SPELLED) firsts.delete(fold);
  const wanted = open.flatMap(({ column, firsts }) => keysOf(prefixOf(table, column), firsts));
  if (wanted.length === 0) return;
  const known = yield* lookUp(dialect, wanted);
  const added = new Map<string, string>();
  for (const { column, firsts } of open) {
    const prefix = prefixOf(table, column);
    const fresh = new Map<string, string>();
    for (const [fold, spelling] of firsts) {
      const found = known.get(prefix + fold);
      if (found === undefined) fresh.set(prefix + fold, spelling);
      else firsts.set(fold, found);
    }
    if (fresh.size === 0) continue;
    if ((yield* countOf(dialect, prefix)) + fresh.size > MOST_SPELLINGS) {
      yield* remove(dialect, prefix);
      yield* add(dialect, new Map([[prefix + OVERFLOWN, '']]));
    } else for (const [key, spelling] of fresh) added.set(key, spelling);
  }
  const overtaken = yield* add(dialect, added);
  if (!overtaken) return;
  // Another transaction has added some of them meanwhile.
  const later = yield* lookUp(dialect, [...added.keys()]);
  for (const { column, firsts } of open) {
    for (const fold of firsts.keys()) {
      const found = later.get(prefixOf(table, column) + fold);
      if (found !== undefined) firsts.set(fold, found);
    }
  }
}

function keysOf(prefix: string, firsts: ReadonlyMap<string, string>): string[] {
  return Array.from(firsts.keys(), (fold) => prefix + fold);
}

function* lookUp(dialect: TypedDialect, keys: readonly string[]): Steps<Map<string, string>> {
  const found = new Map<string, string>();
  if (keys.length === 0) return found;
  const sql = `SELECT key, body FROM ${dialect.spellings} WHERE ${dialect.among('key', dialect.placeholder(1), 'text')}`;
  const { rows } = yield { sql, values: [dialect.list(keys)], reads: true };
  for (const [key, body] of rows) found.set(String(key), JSON.parse(String(body)));
  return found;
}

/** Whether some of them were there already. */
function* add(dialect: TypedDialect, added: ReadonlyMap<string, string>): Steps<boolean> {
  if (added.size === 0) return false;
  // In order, so that two transactions with the same texts wait for each other and never both.
  const keys = [...added.keys()].sort();
  const bodies = keys.map((key) => JSON.stringify(added.get(key)));
  const values: SqlValue[] = [...dialect.pairs(keys, bodies), newEtag(spellings)];
  const { count } = yield { sql: dialect.addSpellings, values };
  return count < keys.length;
}

function* countOf(dialect: TypedDialect, prefix: string): Steps<number> {
  const found = yield* first(`SELECT count(*) FROM ${dialect.spellings} WHERE ${within(dialect)}`, bounds(prefix));
  return Number(found?.[0]);
}

function* remove(dialect: TypedDialect, prefix: string): Steps<void> {
  yield { sql: `DELETE FROM ${dialect.spellings} WHERE ${within(dialect)}`, values: bounds(prefix) };
}

const within = ({ placeholder }: TypedDialect): string => `key >= ${placeholder(1)} AND key < ${placeholder(2)}`;
const bounds = (prefix: string): string[] => [prefix, endOfPrefix(prefix)!];

/** All of a table, or of one of its columns. */
export function forgetSpellings(dialect: TypedDialect, table: string, column?: string): Steps<void> {
  return remove(dialect, column === undefined ? `${table}/` : prefixOf(table, column));
}

/** Of a column that has just become one of text, or whose rows came without spellings: those of its rows, the oldest first. */
export function* collectSpellings(dialect: TypedDialect, table: string, column: string): Steps<void> {
  const [text, key] = [quote(column), quote(`${column}_key`)];
  const firsts = `SELECT min(n) FROM ${dialect.table(table)} WHERE ${key} IS NOT NULL GROUP BY ${key} LIMIT ${MOST_SPELLINGS + 1}`;
  const sql = `SELECT ${key}, ${text} FROM ${dialect.table(table)} WHERE n IN (${firsts})`;
  const { rows } = yield { sql, reads: true };
  const texts = new Map(rows.map(([fold, spelling]) => [String(fold), String(spelling)]));
  yield* spell(dialect, table, [{ column, firsts: texts }]);
}
