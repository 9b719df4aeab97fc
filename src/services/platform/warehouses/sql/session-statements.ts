import { select } from './parse-query.ts';
import { problems } from './problem.ts';
import type { Use } from './statement-syntax.ts';
import { type Expression, plainQuery, type Query } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';
import { simple } from './types.ts';

/**
 * `USE` and `SET`. Each request is a separate session, so they have no effect on the next request: `USE` returns nothing, `SET` returns the
 * new value.
 */

/** Names that `SET` accepts. */
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

export function use(reader: TokenReader): Use {
  reader.expectWord('USE');
  const isAlone = reader.ahead(1).kind === 'end' || reader.ahead(1).text === ';' || reader.ahead(1).text === '.';
  const word = isAlone ? undefined : ['CATALOG', 'SCHEMA', 'DATABASE'].find((each) => reader.word(each));
  const { at } = reader.token;
  const parts = reader.path();
  const kind = word === 'CATALOG' ? 'catalog' : 'schema';
  if (parts.length > (kind === 'catalog' ? 1 : 2)) throw problems.syntax("'.'", at);
  return { is: 'use', kind, name: { parts, at } };
}

/** Parses the statement if it is `SET`. */
export const settingStatement = (reader: TokenReader): Query | undefined =>
  reader.word('SET') ? set(reader) : undefined;

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
