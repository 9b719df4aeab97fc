import { tokensOf } from './lexer.ts';
import { alter, comment, grant } from './parse-alteration.ts';
import { insert, merge, remove, truncate, update } from './parse-change.ts';
import { create, drop } from './parse-definition.ts';
import { QueryParser } from './parse-query.ts';
import { describe, show } from './parse-show.ts';
import { problems } from './problem.ts';
import { settingStatement, use } from './session-statements.ts';
import type { SqlStatement } from './statement-syntax.ts';
import { type Expression, plainQuery, type Query } from './syntax.ts';
import type { SqlType } from './types.ts';

/** Parsers of statements other than queries, by first word. */
const STATEMENTS: Readonly<Record<string, (parser: QueryParser) => SqlStatement>> = {
  ALTER: alter,
  COMMENT: comment,
  CREATE: create,
  DELETE: remove,
  DESC: describe,
  DESCRIBE: describe,
  DROP: drop,
  GRANT: grant,
  INSERT: insert,
  MERGE: merge,
  REVOKE: grant,
  SHOW: show,
  TRUNCATE: truncate,
  UPDATE: update,
  USE: use,
};

/** Statements that the jar does not support. */
const OTHERS = new Set(
  'ANALYZE CACHE CALL COPY EXPLAIN LIST MSCK OPTIMIZE REFRESH REPAIR RESET RESTORE UNDROP VACUUM'.split(' '),
);

/** Parses a statement. */
export function parseStatement(source: string): SqlStatement {
  const tokens = tokensOf(source);
  if (tokens.every(({ kind, text }) => kind === 'end' || (kind === 'sign' && text === ';'))) throw problems.empty();
  const first = tokens[0]?.kind === 'word' ? tokens[0].text.toUpperCase() : '';
  if (OTHERS.has(first)) throw problems.unsupported(`${first} is not available`);
  const parser = new QueryParser(tokens, source);
  const read = Object.hasOwn(STATEMENTS, first) ? STATEMENTS[first] : undefined;
  const statement: SqlStatement = read?.(parser) ?? { is: 'query', query: settingStatement(parser) ?? parser.query() };
  parser.sign(';');
  return ended(parser, statement);
}

/** Parses a query, and throws for other statements. */
export function parseQuery(source: string): Query {
  const statement = parseStatement(source);
  if (statement.is === 'query') return statement.query;
  // Without a catalog, there is nothing to check.
  if (statement.is === 'use') return plainQuery({ is: 'values', rows: [] });
  throw problems.unsupported('only queries can be run here');
}

/** Parses an expression, such as the default of a column. */
export function parseExpression(source: string): Expression {
  const parser = new QueryParser(tokensOf(source), source);
  return ended(parser, parser.expression());
}

/** Parses a type such as `array<int>`. */
export function parseType(source: string): SqlType {
  const parser = new QueryParser(tokensOf(source), source);
  return ended(parser, parser.type());
}

function ended<T>(parser: QueryParser, read: T): T {
  if (!parser.isAtEnd) throw parser.unexpected();
  return read;
}
