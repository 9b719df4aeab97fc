import { newEtag } from '../document.ts';
import { quote } from '../sql/dialect.ts';
import { endOfPrefix } from '../values.ts';
import { spellings } from './definitions.ts';
import type { TypedDialect } from './dialect.ts';
import { first, type Steps } from './steps.ts';

/** A column with more distinct texts than this is not a list of names: it keeps every text as sent. */
export const MOST_SPELLINGS = 10_000;
/** Longer texts keep their own spelling: they rarely repeat, and PostgreSQL limits the size of index keys. */
const LONGEST_SPELLED = 256;
/** Never part of a folded text. Marks a column that has had too many texts. */
const OVERFLOWN = '\u0001';

/** The texts of one column in a batch: folded texts with their first spelling, in the order of the rows. */
export interface ColumnTexts {
  readonly column: string;
  /** In: the first spelling of each folded text in the batch. Out: its spelling in the column. */
  readonly firsts: Map<string, string>;
  overflown: boolean;
}

/** Whether a folded text is short enough to share the spelling that came first. */
export const isSpelled = (fold: string): boolean => fold.length <= LONGEST_SPELLED;

const prefixOf = (table: string, column: string): string => `${table}/${column}/`;

/**
 * Replaces the spellings of a batch by those that came first into their column. Only the distinct texts of the batch are looked up, all
 * columns in one statement; new ones are added in a second statement.
 */
export function* spell(dialect: TypedDialect, table: string, texts: readonly ColumnTexts[]): Steps<void> {
  if (texts.length === 0) return;
  const marks = texts.map(({ column }) => prefixOf(table, column) + OVERFLOWN);
  const overflown = yield* lookUp(dialect, marks);
  for (const each of texts) {
    each.overflown = overflown.has(prefixOf(table, each.column) + OVERFLOWN);
    if (each.overflown) each.firsts.clear();
    else if (each.firsts.size > MOST_SPELLINGS) yield* overflow(dialect, table, each);
  }
  const open = texts.filter((each) => !each.overflown);
  const wanted = open.flatMap(({ column, firsts }) => keysOf(prefixOf(table, column), firsts));
  const added = yield* unknownOf(dialect, table, open, yield* lookUp(dialect, wanted));
  if (!(yield* add(dialect, added))) return;
  // Another transaction has added some of them meanwhile, and its spelling wins.
  respell(table, open, yield* lookUp(dialect, [...added.keys()]));
}

/** Applies known spellings, and returns the texts of the batch that are new, by key. */
function* unknownOf(
  dialect: TypedDialect,
  table: string,
  texts: readonly ColumnTexts[],
  known: ReadonlyMap<string, string>,
): Steps<Map<string, string>> {
  const added = new Map<string, string>();
  respell(table, texts, known);
  for (const each of texts) {
    const prefix = prefixOf(table, each.column);
    const fresh = [...each.firsts].filter(([fold]) => !known.has(prefix + fold));
    if (fresh.length === 0) continue;
    if ((yield* countOf(dialect, prefix)) + fresh.length > MOST_SPELLINGS) yield* overflow(dialect, table, each);
    else for (const [fold, spelling] of fresh) added.set(prefix + fold, spelling);
  }
  return added;
}

function respell(table: string, texts: readonly ColumnTexts[], known: ReadonlyMap<string, string>): void {
  for (const { column, firsts } of texts) {
    const prefix = prefixOf(table, column);
    for (const fold of firsts.keys()) {
      const found = known.get(prefix + fold);
      if (found !== undefined) firsts.set(fold, found);
    }
  }
}

/** The column then keeps texts as sent. */
function* overflow(dialect: TypedDialect, table: string, texts: ColumnTexts): Steps<void> {
  const prefix = prefixOf(table, texts.column);
  texts.overflown = true;
  yield* remove(dialect, prefix);
  yield* add(dialect, new Map([[prefix + OVERFLOWN, '']]));
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

/** Returns true if some of them existed already. */
function* add(dialect: TypedDialect, added: ReadonlyMap<string, string>): Steps<boolean> {
  if (added.size === 0) return false;
  // Sorted, so that two transactions with the same texts cannot deadlock.
  const keys = [...added.keys()].sort();
  const etag = newEtag(spellings);
  const text = (name: string, values: readonly string[]) => ({ name, type: 'text', values }) as const;
  const columns = [
    text('key', keys),
    text(
      'body',
      keys.map((key) => JSON.stringify(added.get(key))),
    ),
    text(
      'etag',
      keys.map(() => etag),
    ),
  ];
  let written = 0;
  const insertion = { table: dialect.spellings, columns, count: keys.length, skipsDuplicates: true };
  for (const step of dialect.inserts(insertion)) written += (yield step).count;
  return written < keys.length;
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

/** Removes the spellings of a table, or of one of its columns. */
export function forgetSpellings(dialect: TypedDialect, table: string, column?: string): Steps<void> {
  return remove(dialect, column === undefined ? `${table}/` : prefixOf(table, column));
}

/**
 * Adds the spellings of a column that has become a text column, or whose rows were loaded without spellings. The oldest row determines each
 * spelling.
 */
export function* collectSpellings(dialect: TypedDialect, table: string, column: string): Steps<void> {
  const [text, key] = [quote(column), quote(`${column}_key`)];
  const firsts = `SELECT min(n) FROM ${dialect.table(table)} WHERE ${key} IS NOT NULL GROUP BY ${key} LIMIT ${MOST_SPELLINGS + 1}`;
  const sql = `SELECT ${key}, ${text} FROM ${dialect.table(table)} WHERE n IN (${firsts})`;
  const { rows } = yield { sql, reads: true };
  const texts = new Map(
    rows.map(([fold, spelling]) => [String(fold), String(spelling)] as const).filter(([fold]) => isSpelled(fold)),
  );
  yield* spell(dialect, table, [{ column, firsts: texts, overflown: false }]);
}
