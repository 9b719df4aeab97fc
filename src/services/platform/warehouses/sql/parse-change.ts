import type { QueryParser } from './parse-query.ts';
import type {
  Assignment,
  Delete,
  Insert,
  Merge,
  MergeClause,
  ObjectName,
  Truncate,
  Update,
} from './statement-syntax.ts';
import type { Expression, TableName } from './syntax.ts';

/** Statements that change rows. */

export function objectName(parser: QueryParser): ObjectName {
  const { at } = parser.token;
  return { parts: parser.path(), at };
}

export function insert(parser: QueryParser): Insert {
  parser.expectWord('INSERT');
  const overwrite = parser.word('OVERWRITE');
  if (!overwrite) parser.expectWord('INTO');
  // Optional keyword; in `INSERT INTO table VALUES (1)` it is the name of a table.
  parser.word('TABLE');
  const table = objectName(parser);
  const byName = parser.words('BY NAME');
  const isList = parser.isSign('(') && !parser.isQuery(1) && !(parser.ahead(1).kind === 'sign');
  const columns = isList ? parser.names() : undefined;
  return { is: 'insert', table, overwrite, byName, ...(columns && { columns }), query: parser.query() };
}

/** A table with an alias, which may not be one of these words. */
function aliased(parser: QueryParser, ...ends: readonly string[]): TableName {
  const table = parser.tableName();
  return ends.some((word) => parser.isWord(word)) ? table : { ...table, alias: parser.alias() };
}

function assignments(parser: QueryParser): readonly Assignment[] {
  return parser.list(() => {
    const { at } = parser.token;
    const column = parser.path();
    parser.expectSign('=');
    return { column, value: parser.expression(), at };
  });
}

const condition = (parser: QueryParser): Expression | undefined =>
  parser.word('WHERE') ? parser.expression() : undefined;

export function update(parser: QueryParser): Update {
  parser.expectWord('UPDATE');
  const table = aliased(parser, 'SET');
  parser.expectWord('SET');
  return { is: 'update', table, sets: assignments(parser), where: condition(parser) };
}

export function remove(parser: QueryParser): Delete {
  parser.expectWord('DELETE');
  parser.expectWord('FROM');
  return { is: 'delete', table: aliased(parser), where: condition(parser) };
}

export function truncate(parser: QueryParser): Truncate {
  parser.expectWord('TRUNCATE');
  parser.expectWord('TABLE');
  return { is: 'truncate', table: objectName(parser) };
}

export function merge(parser: QueryParser): Merge {
  parser.expectWord('MERGE');
  parser.words('WITH SCHEMA EVOLUTION');
  parser.expectWord('INTO');
  const target = aliased(parser, 'USING');
  parser.expectWord('USING');
  const source = parser.source();
  parser.expectWord('ON');
  const on = parser.expression();
  const clauses: MergeClause[] = [];
  while (parser.word('WHEN')) clauses.push(clause(parser));
  if (clauses.length === 0) throw parser.unexpected();
  return { is: 'merge', target, source, on, clauses };
}

function clause(parser: QueryParser): MergeClause {
  const not = parser.word('NOT');
  parser.expectWord('MATCHED');
  const bySource = not && parser.words('BY SOURCE');
  if (not && !bySource) parser.words('BY TARGET');
  const and = parser.word('AND') ? parser.expression() : undefined;
  parser.expectWord('THEN');
  if (not && !bySource) return { when: 'notMatched', and, action: inserted(parser) };
  const when = bySource ? 'notMatchedBySource' : 'matched';
  if (parser.word('DELETE')) return { when, and, action: { is: 'delete' } };
  parser.expectWord('UPDATE');
  parser.expectWord('SET');
  if (parser.sign('*')) return { when, and, action: { is: 'update', all: true, sets: [] } };
  return { when, and, action: { is: 'update', all: false, sets: assignments(parser) } };
}

function inserted(parser: QueryParser): MergeClause['action'] {
  parser.expectWord('INSERT');
  if (parser.sign('*')) return { is: 'insert', all: true, sets: [] };
  const { at } = parser.token;
  const columns = parser.parenthesised(() => parser.list(() => parser.path()));
  parser.expectWord('VALUES');
  const values = parser.rowOfValues();
  if (values.length !== columns.length) throw parser.unexpected();
  const sets = columns.map((column, index) => ({ column, value: values[index] as Expression, at }));
  return { is: 'insert', all: false, sets };
}
