import { grantedOn } from './parse-alteration.ts';
import { objectName } from './parse-change.ts';
import type { QueryParser } from './parse-query.ts';
import { problems } from './problem.ts';
import type { Describe, ObjectName, Show } from './statement-syntax.ts';

/** `SHOW` and `DESCRIBE`. */

const LISTS = {
  CATALOGS: 'catalogs',
  SCHEMAS: 'schemas',
  DATABASES: 'schemas',
  TABLES: 'tables',
  VIEWS: 'views',
  VOLUMES: 'volumes',
} as const;

export function show(parser: QueryParser): Show {
  parser.expectWord('SHOW');
  if (parser.words('CREATE TABLE')) return { is: 'show', what: 'createTable', of: objectName(parser) };
  if (parser.word('TBLPROPERTIES')) return { is: 'show', what: 'properties', of: objectName(parser) };
  if (parser.word('COLUMNS')) return { is: 'show', what: 'columns', of: columnsOf(parser) };
  if (parser.word('GRANTS') || parser.word('GRANT')) {
    const principal = parser.isWord('ON') ? undefined : parser.name();
    parser.expectWord('ON');
    return { is: 'show', what: 'grants', on: grantedOn(parser), ...(principal !== undefined && { principal }) };
  }
  const word = (Object.keys(LISTS) as (keyof typeof LISTS)[]).find((each) => parser.word(each));
  if (!word) throw problems.unsupported(`SHOW ${parser.token.text.toUpperCase().slice(0, 100)} is not available`);
  const of = parser.word('IN') || parser.word('FROM') ? objectName(parser) : undefined;
  const like = parser.word('LIKE') || parser.token.kind === 'text' ? parser.text() : undefined;
  return { is: 'show', what: LISTS[word], ...(of && { of }), ...(like !== undefined && { like }) };
}

/** `IN table`, `IN table IN schema`. */
function columnsOf(parser: QueryParser): ObjectName {
  if (!parser.word('IN')) parser.expectWord('FROM');
  const table = objectName(parser);
  if (!parser.word('IN') && !parser.word('FROM')) return table;
  return { ...table, parts: [...parser.path(), table.parts.at(-1) as string] };
}

export function describe(parser: QueryParser): Describe {
  if (!parser.word('DESC')) parser.expectWord('DESCRIBE');
  if (parser.word('HISTORY')) return { is: 'describe', what: 'history', name: objectName(parser), extended: false };
  if (parser.word('DETAIL')) return { is: 'describe', what: 'detail', name: objectName(parser), extended: false };
  for (const [word, what] of [
    ['CATALOG', 'catalog'],
    ['SCHEMA', 'schema'],
    ['DATABASE', 'schema'],
    ['VOLUME', 'volume'],
  ] as const) {
    if (!parser.isWord(word) || !isNameBehind(parser)) continue;
    parser.take();
    return { is: 'describe', what, extended: parser.word('EXTENDED'), name: objectName(parser) };
  }
  if (isNameBehind(parser)) parser.word('TABLE');
  const extended = isNameBehind(parser) && (parser.word('EXTENDED') || parser.word('FORMATTED'));
  const name = objectName(parser);
  const column = parser.isName() ? parser.name() : undefined;
  return { is: 'describe', what: 'table', name, extended, ...(column !== undefined && { column }) };
}

const isNameBehind = (parser: QueryParser): boolean => ['word', 'name'].includes(parser.ahead(1).kind);
