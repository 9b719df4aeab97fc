import { select } from './parse-query.ts';
import { problems } from './problem.ts';
import { type Expression, plainQuery, type Query } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';
import { simple } from './types.ts';

/**
 * `USE` and `SET`. Each request is a session of its own, so that nothing of them is left for the next one: `USE` gives nothing at all, `SET` what was set.
 */

/** What a session of a warehouse can set. */
const SETTINGS = new Set([
  'ANSI_MODE',
  'LEGACY_TIME_PARSER_POLICY',
  'MAX_FILE_PARTITION_BYTES',
  'QUERY_TAGS',
  'READ_ONLY_EXTERNAL_METASTORE',
  'STATEMENT_TIMEOUT',
  'TIMEZONE',
  'USE_CACHED_RESULT',
]);
const MOST_PARTS_OF_A_PATH = 2;

/** Reads the statement, if it is one of these. */
export function sessionStatement(reader: TokenReader): Query | undefined {
  if (reader.word('USE')) return use(reader);
  return reader.word('SET') ? set(reader) : undefined;
}

function use(reader: TokenReader): Query {
  const isAlone = reader.ahead(1).kind === 'end' || reader.ahead(1).text === ';' || reader.ahead(1).text === '.';
  if (!isAlone) ['CATALOG', 'SCHEMA', 'DATABASE'].some((word) => reader.word(word));
  const { at } = reader.token;
  const path = reader.path();
  if (path.length > MOST_PARTS_OF_A_PATH) throw problems.syntax("'.'", at);
  return plainQuery({ is: 'values', rows: [] });
}

function set(reader: TokenReader): Query {
  const name = reader.path().join('.');
  if (!reader.sign('=')) throw problems.unsupported('SET is available as SET name = value only');
  const parts: string[] = [];
  while (!reader.isAtEnd && !reader.isSign(';')) parts.push(reader.take().text);
  if (parts.length === 0) throw reader.unexpected();
  if (!SETTINGS.has(name.toUpperCase())) throw problems.noSetting(name);
  const row = [name, parts.join('')].map(
    (value): Expression => ({ is: 'literal', type: simple('STRING'), value, shown: value }),
  );
  const query = plainQuery({ is: 'values', rows: [row] });
  const from = { is: 'query', query, alias: undefined, columns: ['key', 'value'] } as const;
  return plainQuery(select([{ is: 'all', of: [], at: { line: 1, column: 0 } }], from));
}
