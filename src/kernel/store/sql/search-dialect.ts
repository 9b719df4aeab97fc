import { GAP } from '../search/indexed.ts';
import type { Phrase } from '../search/phrase.ts';
import { balanced } from './balanced.ts';
import type { Parameters } from './dialect.ts';

/** The tables of a collection's full text; names are quoted. */
export interface SearchTables {
  /** The words of each document. */
  readonly words: string;
  /** Documents by word: a table of FTS5, or an index of PostgreSQL. */
  readonly index: string;
}

/** Phrases that all, or of which any, have to be in a document. */
export type SearchExpression = Phrase | { readonly op: 'and' | 'or'; readonly args: readonly SearchExpression[] };

/** Everything in which the two engines' full text differs. */
export interface SearchDialect {
  /** The column that a document and its words have in common. */
  readonly link: string;
  /** Of the table of documents: what has to stand before its other columns. */
  readonly linkColumn: string;
  /** Whether the index finds all documents before it gives the first. */
  readonly findsAllAtOnce: boolean;
  createTables(tables: SearchTables): string[];
  /** To be run when the tables are filled. */
  createIndexes(tables: SearchTables): string[];
  drop(tables: SearchTables): string[];
  /** The condition that a document of `table` has some phrases, which looks at the words of that document. Never NULL. */
  test(tables: SearchTables, table: string, expression: SearchExpression, parameters: Parameters): string;
  /** What the index is asked. */
  expression(expression: SearchExpression): string;
  /** The statement that gives the links of the documents that the index finds. */
  find(tables: SearchTables, expression: string): string;
  /** FROM and WHERE of the documents that some links lead to, as far as conditions on `table` hold. The links are followed first, in any case. */
  among(table: string, links: LinkSource, conditions: readonly string[]): string;
  /** Columns of the first documents of an order. */
  first(columns: string, table: string, among: string, order: string, bounds: string): string;
}

/** Where links come from: the statement of `find`, or the placeholder of a list. */
export type LinkSource = { readonly statement: string } | { readonly list: string };

export const SEARCH_SQLITE: SearchDialect = {
  link: 'id',
  linkColumn: 'id INTEGER PRIMARY KEY, ',
  findsAllAtOnce: false,
  // The words are kept as text as well: to look for a phrase in one document takes FTS5 fifty times as long as `instr`, and a prefix even longer.
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
  // A CROSS JOIN is done in the order in which it is written: documents are looked up by their links, never links by their documents.
  among(table, links, conditions) {
    const source = 'list' in links ? `(SELECT value AS link FROM json_each(${links.list}))` : `(${links.statement})`;
    return `${source} AS found CROSS JOIN ${table} ON ${[`${table}.id = found.link`, ...conditions].join(' AND ')}`;
  },
  // Documents are read after they were sorted: a sorter of SQLite carries along whatever is selected.
  first: (columns, table, among, order, bounds) =>
    `SELECT ${columns} FROM (SELECT ${table}.id AS link FROM ${among} ORDER BY ${order} ${bounds}) AS page
     CROSS JOIN ${table} ON ${table}.id = page.link ORDER BY ${order}`,
};

const asQuery = (placeholder: string): string => `${placeholder}::tsquery`;

export const SEARCH_POSTGRES: SearchDialect = {
  link: 'key',
  linkColumn: '',
  findsAllAtOnce: true,
  // A table of its own: an update of a document would have the index take in all of its words again.
  createTables: ({ words }) => [
    `CREATE TABLE ${words} (key text COLLATE "C" PRIMARY KEY, hash text NOT NULL, words tsvector NOT NULL);`,
  ],
  // New words are collected first and put into the index together. Every search reads what was collected, so it has to be little.
  createIndexes: ({ words, index }) => [
    `CREATE INDEX ${index} ON ${words} USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 512);`,
  ],
  drop: ({ words }) => [`DROP TABLE IF EXISTS ${words};`],
  // A subquery that gives a value is never made a join, which would look at the words of all documents.
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
  // OFFSET 0 keeps the planner from walking an ordered index and looking at each document whether it is among them.
  among(table, links, conditions) {
    const source = 'list' in links ? `= ANY(${links.list}::text[])` : `IN (${links.statement})`;
    const where = [`${table}.key ${source}`, ...conditions].join(' AND ');
    return `(SELECT * FROM ${table} WHERE ${where} OFFSET 0) AS found`;
  },
  first: (columns, _table, among, order, bounds) => `SELECT ${columns} FROM ${among} ORDER BY ${order} ${bounds}`,
};

/** Words have nothing but letters, digits and marks in them, so that nothing has to be escaped. */
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

/** The words of a document as FTS5 takes them. */
export const ftsText = (scope: string, words: readonly string[]): string =>
  words.map((word) => (word === GAP ? GAP : scope + word)).join(' ');

/** As `instr` looks for phrases in them: a blank before and behind every word. */
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
