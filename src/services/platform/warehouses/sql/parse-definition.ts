import { objectName } from './parse-change.ts';
import type { QueryParser } from './parse-query.ts';
import { problems } from './problem.ts';
import type {
  ColumnDefinition,
  CreateContainer,
  CreateTable,
  CreateView,
  Definition,
  Drop,
  Properties,
} from './statement-syntax.ts';

/** `CREATE` and `DROP`. */

export function create(parser: QueryParser): Definition {
  parser.expectWord('CREATE');
  const replace = parser.words('OR REPLACE') || parser.isWord('REPLACE');
  if (parser.word('CATALOG')) return container(parser, 'createCatalog', false);
  if (parser.word('SCHEMA') || parser.word('DATABASE')) return container(parser, 'createSchema', false);
  if (parser.words('EXTERNAL VOLUME')) return container(parser, 'createVolume', true);
  if (parser.word('VOLUME')) return container(parser, 'createVolume', false);
  if (parser.word('VIEW')) return view(parser, replace);
  parser.word('EXTERNAL');
  if (parser.word('TABLE')) return table(parser, replace);
  const { text } = parser.token;
  throw parser.token.kind === 'word'
    ? problems.unsupported(`CREATE ${text.toUpperCase().slice(0, 100)} is not available`)
    : parser.unexpected();
}

const unlessThere = (parser: QueryParser): boolean => parser.words('IF NOT EXISTS');

/** Clauses that are accepted in any order. */
interface Clauses {
  comment?: string;
  properties?: Properties;
  location?: string;
  partitions?: readonly string[];
  format?: string;
}

function clauses(parser: QueryParser): Clauses {
  const found: Clauses = {};
  for (;;) {
    if (parser.word('COMMENT')) found.comment = parser.text();
    else if (parser.word('TBLPROPERTIES') || parser.words('WITH DBPROPERTIES') || parser.word('OPTIONS'))
      found.properties = { ...found.properties, ...properties(parser) };
    else if (parser.words('MANAGED LOCATION') || parser.word('LOCATION')) found.location = parser.text();
    else if (parser.words('PARTITIONED BY')) found.partitions = parser.names();
    else if (parser.words('CLUSTER BY')) {
      // Ignored: the layout of files does not affect results.
      if (!parser.word('AUTO')) parser.names();
    } else if (parser.word('USING')) found.format = parser.name().toUpperCase();
    else return found;
  }
}

/** `('delta.appendOnly' = 'true', retention.days = 7)` */
export function properties(parser: QueryParser): Properties {
  return Object.fromEntries(
    parser.parenthesised(() =>
      parser.list(() => {
        const key = propertyName(parser);
        parser.sign('=');
        return [key, propertyValue(parser)] as const;
      }),
    ),
  );
}

export const propertyName = (parser: QueryParser): string =>
  parser.token.kind === 'text' ? parser.take().text : parser.path().join('.');

function propertyValue(parser: QueryParser): string {
  const { kind, text } = parser.token;
  if (kind !== 'text' && kind !== 'number' && kind !== 'word') throw parser.unexpected();
  parser.take();
  return text;
}

function container(parser: QueryParser, is: CreateContainer['is'], external: boolean): CreateContainer {
  const ifNotExists = unlessThere(parser);
  const name = objectName(parser);
  const { comment, properties: said, location } = clauses(parser);
  return {
    is,
    name,
    ifNotExists,
    external,
    ...(comment !== undefined && { comment }),
    ...(said && { properties: said }),
    ...(location !== undefined && { location }),
  };
}

function table(parser: QueryParser, replace: boolean): CreateTable {
  const ifNotExists = unlessThere(parser);
  const name = objectName(parser);
  const elements: Elements = { columns: [], checks: {} };
  if (parser.word('LIKE')) {
    const like = objectName(parser);
    const { comment, properties: said, location } = clauses(parser);
    const more = {
      ...(comment !== undefined && { comment }),
      ...(said && { properties: said }),
      ...(location !== undefined && { location }),
    };
    return { is: 'createTable', name, ifNotExists, replace, columns: [], partitions: [], checks: {}, like, ...more };
  }
  if (parser.isSign('(')) parser.parenthesised(() => parser.list(() => element(parser, elements)));
  const { partitions = [], ...said } = clauses(parser);
  const query = parser.word('AS') || parser.isQuery() ? parser.query() : undefined;
  const { columns, checks, primaryKey } = elements;
  return {
    is: 'createTable',
    name,
    ifNotExists,
    replace,
    columns,
    partitions,
    checks,
    ...said,
    ...(primaryKey && { primaryKey }),
    ...(query && { query }),
  };
}

interface Elements {
  columns: ColumnDefinition[];
  checks: Record<string, string>;
  primaryKey?: NonNullable<CreateTable['primaryKey']>;
}

/** A column or a constraint. */
function element(parser: QueryParser, elements: Elements): void {
  const name = parser.word('CONSTRAINT') ? parser.name() : undefined;
  if (parser.words('PRIMARY KEY')) elements.primaryKey = { name, columns: parser.names() };
  else if (name !== undefined || (parser.isWord('CHECK') && parser.ahead(1).text === '(')) {
    parser.expectWord('CHECK');
    elements.checks[name ?? `check_${Object.keys(elements.checks).length + 1}`] = check(parser);
  } else {
    const definition = column(parser);
    elements.columns.push(definition);
    if (parser.words('PRIMARY KEY')) elements.primaryKey = { name: undefined, columns: [definition.name] };
  }
}

/** The expression of a `CHECK`, as text. */
export const check = (parser: QueryParser): string =>
  parser.parenthesised(() => parser.written(() => parser.expression()).text);

export function column(parser: QueryParser): ColumnDefinition {
  const name = parser.name();
  const type = parser.type();
  let definition: ColumnDefinition = { name, type, nullable: true };
  for (;;) {
    if (parser.words('NOT NULL')) definition = { ...definition, nullable: false };
    else if (parser.word('COMMENT')) definition = { ...definition, comment: parser.text() };
    else if (parser.word('DEFAULT'))
      definition = { ...definition, default: parser.written(() => parser.expression()).text };
    else if (parser.isWord('GENERATED')) throw problems.unsupported('generated columns are not available');
    else return definition;
  }
}

function view(parser: QueryParser, replace: boolean): CreateView {
  const ifNotExists = unlessThere(parser);
  const name = objectName(parser);
  const columns = parser.isSign('(')
    ? parser.parenthesised(() =>
        parser.list(() => ({ name: parser.name(), ...(parser.word('COMMENT') && { comment: parser.text() }) })),
      )
    : [];
  const { comment, properties: said } = clauses(parser);
  parser.expectWord('AS');
  const { of: query, text } = parser.written(() => parser.query());
  return {
    is: 'createView',
    name,
    ifNotExists,
    replace,
    columns,
    query,
    text,
    ...(comment !== undefined && { comment }),
    ...(said && { properties: said }),
  };
}

const DROPPED = {
  CATALOG: 'catalog',
  SCHEMA: 'schema',
  DATABASE: 'schema',
  TABLE: 'table',
  VIEW: 'view',
  VOLUME: 'volume',
  FUNCTION: 'function',
} as const;

export function drop(parser: QueryParser): Drop {
  parser.expectWord('DROP');
  const word = (Object.keys(DROPPED) as (keyof typeof DROPPED)[]).find((each) => parser.word(each));
  if (!word) throw problems.unsupported(`DROP ${parser.token.text.toUpperCase().slice(0, 100)} is not available`);
  const ifExists = parser.words('IF EXISTS');
  const name = objectName(parser);
  const cascade = parser.word('CASCADE');
  if (!cascade) parser.word('RESTRICT');
  return { is: 'drop', kind: DROPPED[word], name, ifExists, cascade };
}
