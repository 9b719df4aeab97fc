import { GAP } from '../search/indexed.ts';
import type { Phrase } from '../search/phrase.ts';
import { balanced } from './balanced.ts';
import type { Parameters } from './dialect.ts';

/** The full-text tables of a collection; names are quoted. */
export interface SearchTables {
  /** The words of each document. */
  readonly words: string;
  /** The inverted index: a table of FTS5, or an index of PostgreSQL. */
  readonly index: string;
}

/** A document must contain all phrases, or any of them. */
export type SearchExpression = Phrase | { readonly op: 'and' | 'or'; readonly args: readonly SearchExpression[] };

/** The differences between the two engines' full text. */
export interface SearchDialect {
  /** The column that joins a document with its words. */
  readonly link: string;
  /** SQL at the start of the column list of the table of documents. */
  readonly linkColumn: string;
  /** True if the index finds all documents before it returns the first. */
  readonly findsAllAtOnce: boolean;
  createTables(tables: SearchTables): string[];
  /** Run after the tables are filled. */
  createIndexes(tables: SearchTables): string[];
  drop(tables: SearchTables): string[];
  /** The condition that a document of `table` contains the phrases. It tests the words of that document and is never NULL. */
  test(tables: SearchTables, table: string, expression: SearchExpression, parameters: Parameters): string;
  /** The expression in the index's query syntax. */
  expression(expression: SearchExpression): string;
  /** The statement that returns the links of the documents that the index finds. */
  find(tables: SearchTables, expression: string): string;
  /** FROM and WHERE of the documents behind some links that satisfy conditions on `table`. The links are always followed first. */
  among(table: string, links: LinkSource, conditions: readonly string[]): string;
  /** Selects columns of the first documents of an order. */
  first(columns: string, table: string, among: string, order: string, bounds: string): string;
}

/** The source of links: the statement of `find`, or the placeholder of a list. */
export type LinkSource = { readonly statement: string } | { readonly list: string };

export const SEARCH_SQLITE: SearchDialect = {
  link: 'id',
  linkColumn: 'id INTEGER PRIMARY KEY, ',
  findsAllAtOnce: false,
  // The words are also stored as text: FTS5 takes fifty times as long as `instr` to find a phrase in one document, and even longer for a
  // prefix.
  createTables: ({ words, index }) => [
    `CREATE TABLE ${words} (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, words TEXT NOT NULL);`,
    `CREATE VIRTUAL TABLE ${index} USING fts5(words, content = '', contentless_delete = 1, tokenize = 'ascii');`,
  ],
  createIndexes: () => [],
  drop: ({ words, index }) => [`DROP TABLE IF EXISTS ${words};`, `DROP TABLE IF EXISTS ${index};`],
  test({ words: table }, documents, expression, parameters) {
    const found = write(expression, { and: ' AND ', or: ' OR ' }, ({ words, prefix }, part) => {
      const phrase = words.map((word) => ` ${part}${word}`).join('');
      return `instr(w.words, ${parameters.add(prefix ? phrase : `${phrase} `)}) > 0`;
    });
    return `EXISTS (SELECT 1 FROM ${table} AS w WHERE w.id = ${documents}.id AND ${found})`;
  },
  expression: (expression) =>
    write(expression, { and: ' AND ', or: ' OR ' }, (phrase, part) => {
      const quoted = `"${wordsOfIndex(phrase, part).join(' ')}"`;
      return phrase.prefix ? `${quoted} *` : quoted;
    }),
  find: ({ index }, expression) => `SELECT rowid AS link FROM ${index} WHERE ${index} MATCH ${expression}`,
  // A CROSS JOIN is executed in the written order: documents are looked up by their links, never links by their documents.
  among(table, links, conditions) {
    const source = 'list' in links ? `(SELECT value AS link FROM json_each(${links.list}))` : `(${links.statement})`;
    return `${source} AS found CROSS JOIN ${table} ON ${[`${table}.id = found.link`, ...conditions].join(' AND ')}`;
  },
  // Documents are read after sorting: a sorter of SQLite carries all selected columns along.
  first: (columns, table, among, order, bounds) =>
    `SELECT ${columns} FROM (SELECT ${table}.id AS link FROM ${among} ORDER BY ${order} ${bounds}) AS page
     CROSS JOIN ${table} ON ${table}.id = page.link ORDER BY ${order}`,
};

const asQuery = (placeholder: string): string => `${placeholder}::tsquery`;

export const SEARCH_POSTGRES: SearchDialect = {
  link: 'key',
  linkColumn: '',
  findsAllAtOnce: true,
  // A separate table: with a column in the table of documents, every update of a document would index all of its words again.
  createTables: ({ words }) => [
    `CREATE TABLE ${words} (key text COLLATE "C" PRIMARY KEY, hash text NOT NULL, words tsvector NOT NULL);`,
  ],
  // New words are collected in a pending list and indexed together. Every search reads the pending list, so it must stay short.
  createIndexes: ({ words, index }) => [
    `CREATE INDEX ${index} ON ${words} USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 512);`,
  ],
  drop: ({ words }) => [`DROP TABLE IF EXISTS ${words};`],
  // A scalar subquery never becomes a join, which would test the words of all documents.
  test({ words: table }, documents, expression, parameters) {
    const query = asQuery(parameters.add(SEARCH_POSTGRES.expression(expression)));
    return `coalesce((SELECT w.words @@ ${query} FROM ${table} AS w WHERE w.key = ${documents}.key), FALSE)`;
  },
  expression: (expression) =>
    write(expression, { and: ' & ', or: ' | ' }, (phrase, part) => {
      const quoted = wordsOfIndex(phrase, part)
        .map((word) => `'${word}'`)
        .join(' <-> ');
      return phrase.prefix ? `${quoted}:*` : quoted;
    }),
  find: ({ words }, expression) => `SELECT key FROM ${words} WHERE words @@ ${asQuery(expression)}`,
  // OFFSET 0 keeps the planner from walking an ordered index and testing each document against the links.
  among(table, links, conditions) {
    const source = 'list' in links ? `= ANY(${links.list}::text[])` : `IN (${links.statement})`;
    const where = [`${table}.key ${source}`, ...conditions].join(' AND ');
    return `(SELECT * FROM ${table} WHERE ${where} OFFSET 0) AS found`;
  },
  first: (columns, _table, among, order, bounds) => `SELECT ${columns} FROM ${among} ORDER BY ${order} ${bounds}`,
};

/** Words contain only letters, digits and marks, so nothing has to be escaped. */
function write(
  expression: SearchExpression,
  operators: Readonly<Record<'and' | 'or', string>>,
  phraseIn: (phrase: Phrase, part: string) => string,
): string {
  if (!('op' in expression)) {
    const ofParts = expression.parts.map((part) => phraseIn(expression, part));
    return balanced(ofParts, operators.or);
  }
  const args = expression.args.map((arg) => write(arg, operators, phraseIn));
  return balanced(args, operators[expression.op]);
}

const wordsOfIndex = ({ scope, words }: Phrase, part: string): string[] => words.map((word) => scope + part + word);

/** The words of a document in the form that FTS5 indexes. */
export const ftsText = (scope: string, words: readonly string[]): string =>
  words.map((word) => (word === GAP ? GAP : scope + word)).join(' ');

/** The words of a document in the form that `instr` searches: a space before and after every word. */
export const spacedText = (words: readonly string[]): string => ` ${words.join(' ')} `;

/** The words of a document as the text of a `tsvector`. */
export function vectorText(scope: string, words: readonly string[]): string {
  const positions = new Map<string, number[]>();
  for (const [i, word] of words.entries()) {
    if (word === GAP) continue;
    const known = positions.get(word);
    if (known) known.push(i + 1);
    else positions.set(word, [i + 1]);
  }
  return Array.from(positions, ([word, places]) => `'${scope}${word}':${places.join()}`).join(' ');
}
