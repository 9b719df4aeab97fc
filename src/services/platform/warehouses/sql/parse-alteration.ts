import { objectName } from './parse-change.ts';
import { check, column, properties, propertyName } from './parse-definition.ts';
import type { QueryParser } from './parse-query.ts';
import { problems } from './problem.ts';
import type { Alteration, Change, ColumnChange, ColumnDefinition, Grant, GrantedOn } from './statement-syntax.ts';

/** `ALTER`, `COMMENT ON`, `GRANT` and `REVOKE`. */

const KINDS = {
  CATALOG: 'catalog',
  SCHEMA: 'schema',
  DATABASE: 'schema',
  TABLE: 'table',
  VIEW: 'view',
  VOLUME: 'volume',
} as const;

function kind(parser: QueryParser): Alteration['kind'] {
  const word = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((each) => parser.word(each));
  if (!word) throw parser.unexpected();
  return KINDS[word];
}

export function alter(parser: QueryParser): Alteration {
  parser.expectWord('ALTER');
  const of = kind(parser);
  const name = objectName(parser);
  return { is: 'alter', kind: of, name, change: change(parser, of) };
}

function change(parser: QueryParser, of: Alteration['kind']): Change {
  if (parser.words('RENAME COLUMN')) {
    const from = parser.name();
    parser.expectWord('TO');
    return { is: 'renameColumn', from, to: parser.name() };
  }
  if (parser.words('RENAME TO')) return { is: 'rename', to: objectName(parser) };
  if (parser.words('SET OWNER TO') || parser.words('OWNER TO')) return { is: 'setOwner', owner: parser.name() };
  if (parser.words('SET TBLPROPERTIES') || parser.words('SET DBPROPERTIES'))
    return { is: 'setProperties', properties: properties(parser) };
  if (parser.words('UNSET TBLPROPERTIES')) {
    const ifExists = parser.words('IF EXISTS');
    return {
      is: 'unsetProperties',
      names: parser.parenthesised(() => parser.list(() => propertyName(parser))),
      ifExists,
    };
  }
  if (of === 'view' && parser.word('AS')) {
    const { of: query, text } = parser.written(() => parser.query());
    return { is: 'setQuery', query, text };
  }
  if (of === 'table') return changeOfTable(parser);
  throw parser.unexpected();
}

function changeOfTable(parser: QueryParser): Change {
  if (parser.words('ADD CONSTRAINT')) {
    const name = parser.name();
    if (!parser.word('CHECK'))
      throw problems.unsupported('ALTER TABLE can only add CHECK constraints; keys are added by the REST API');
    return { is: 'addCheck', name, check: check(parser) };
  }
  if (parser.words('DROP CONSTRAINT')) {
    const ifExists = parser.words('IF EXISTS');
    return { is: 'dropConstraint', name: parser.name(), ifExists };
  }
  if (parser.words('ADD COLUMNS') || parser.words('ADD COLUMN')) {
    const ifNotExists = parser.words('IF NOT EXISTS');
    const columns = parser.isSign('(')
      ? parser.parenthesised(() => parser.list(() => added(parser)))
      : parser.list(() => added(parser));
    return { is: 'addColumns', columns, ifNotExists };
  }
  if (parser.words('DROP COLUMNS') || parser.words('DROP COLUMN')) {
    const ifExists = parser.words('IF EXISTS');
    const names = parser.isSign('(') ? parser.names() : parser.list(() => parser.name());
    return { is: 'dropColumns', names, ifExists };
  }
  if (parser.words('ALTER COLUMN') || parser.words('CHANGE COLUMN'))
    return { is: 'alterColumn', name: parser.name(), to: columnChange(parser) };
  throw parser.unexpected();
}

function added(parser: QueryParser): ColumnDefinition {
  const definition = column(parser);
  if (parser.isWord('FIRST') || parser.isWord('AFTER'))
    throw problems.unsupported('columns can only be added at the end, not FIRST or AFTER a column');
  return definition;
}

function columnChange(parser: QueryParser): ColumnChange {
  if (parser.word('COMMENT')) return { is: 'comment', comment: parser.text() };
  if (parser.words('SET NOT NULL')) return { is: 'nullable', nullable: false };
  if (parser.words('DROP NOT NULL')) return { is: 'nullable', nullable: true };
  if (parser.words('SET DEFAULT')) return { is: 'default', default: parser.written(() => parser.expression()).text };
  if (parser.words('DROP DEFAULT')) return { is: 'default', default: undefined };
  if (parser.word('TYPE')) return { is: 'type', type: parser.type() };
  throw parser.unexpected();
}

export function comment(parser: QueryParser): Alteration {
  parser.expectWord('COMMENT');
  parser.expectWord('ON');
  const isColumn = parser.word('COLUMN');
  const of = isColumn ? 'table' : kind(parser);
  const whole = objectName(parser);
  parser.expectWord('IS');
  const text = parser.word('NULL') ? null : parser.text();
  if (!isColumn) return { is: 'alter', kind: of, name: whole, change: { is: 'comment', comment: text } };
  const named = whole.parts.at(-1) as string;
  const name = { parts: whole.parts.slice(0, -1), at: whole.at };
  if (name.parts.length === 0) throw problems.syntax(`'${named}'`, whole.at);
  return { is: 'alter', kind: 'table', name, change: { is: 'comment', comment: text, column: named } };
}

export function grant(parser: QueryParser): Grant {
  const revokes = parser.word('REVOKE');
  if (!revokes) parser.expectWord('GRANT');
  const privileges = parser.list(() => privilege(parser));
  parser.expectWord('ON');
  const on = grantedOn(parser);
  parser.expectWord(revokes ? 'FROM' : 'TO');
  return { is: 'grant', revokes, privileges, on, principal: parser.name() };
}

/** One or more words: `USE SCHEMA`, `ALL PRIVILEGES`. */
function privilege(parser: QueryParser): string {
  const words: string[] = [];
  while (parser.token.kind === 'word' && !parser.isWord('ON')) words.push(parser.take().text.toUpperCase());
  if (words.length === 0) throw parser.unexpected();
  // Older names of the same privileges.
  return words
    .join('_')
    .replace(/^USAGE$/, 'USE_SCHEMA')
    .replace(/^CREATE$/, 'CREATE_TABLE');
}

const TYPES = [
  'CATALOG',
  'SCHEMA',
  'DATABASE',
  'TABLE',
  'VIEW',
  'VOLUME',
  'FUNCTION',
  'METASTORE',
  'CONNECTION',
  'SHARE',
] as const;

/** Parses `TABLE main.default.t`; the default type is a table. */
export function grantedOn(parser: QueryParser): GrantedOn {
  const { at } = parser.token;
  if (parser.words('EXTERNAL LOCATION')) return { type: 'external_location', name: objectName(parser) };
  if (parser.words('STORAGE CREDENTIAL')) return { type: 'storage_credential', name: objectName(parser) };
  const next = parser.ahead(1);
  const isNamed = next.kind === 'name' || next.kind === 'word';
  if (parser.isWord('METASTORE')) {
    parser.take();
    return { type: 'metastore', name: { parts: [], at } };
  }
  const type = isNamed ? TYPES.find((each) => parser.word(each)) : undefined;
  const word = type === 'DATABASE' ? 'SCHEMA' : type === 'VIEW' ? 'TABLE' : (type ?? 'TABLE');
  return { type: word.toLowerCase(), name: objectName(parser) };
}
