import type { Shape } from './fields.ts';
import { CROSS_FILTERING } from './types.ts';

/** The request models of the service, one table per model. */

/**
 * Tab, line ends, space, `#`, `-`, digits, `@`, letters, `^`, `_`, `~` and everything above: no quotes, brackets, dots, commas or slashes.
 */
const TABLE_NAME = /^[\t\n\r #\-0-9@A-Z^_a-z~\u{7F}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]{1,100}$/u;

const TABLE_NAME_RULE = 'be 1 to 100 letters, digits, spaces or # - @ ^ _ ~';

const NAME = { kind: 'text', required: true, most: 100, pattern: TABLE_NAME, rule: TABLE_NAME_RULE } as const;

/** The documentation states no maximum length; this one is a sanity limit. */
const COLUMN_NAME = { kind: 'text', required: true, most: 512 } as const;
const TEXT = { kind: 'text', most: 4000 } as const;
const FLAG = { kind: 'flag' } as const;
const LIST = { kind: 'list' } as const;
const EXPRESSION = { kind: 'text', required: true, most: 65_536 } as const;

export const DATASET_SHAPE = {
  name: { kind: 'text', required: true, most: 256 },
  tables: { kind: 'list', required: true },
  datasources: LIST,
  defaultMode: { kind: 'word', words: ['Push', 'PushStreaming', 'Streaming', 'AsAzure', 'AsOnPrem'] },
  relationships: LIST,
} as const satisfies Shape;

export const TABLE_SHAPE = {
  name: NAME,
  columns: { kind: 'list', required: true },
  description: TEXT,
  isHidden: FLAG,
  measures: LIST,
  rows: LIST,
  source: { kind: 'list', orOne: true },
} as const satisfies Shape;

export const SOURCE_SHAPE = { expression: EXPRESSION } as const satisfies Shape;

export const COLUMN_SHAPE = {
  name: COLUMN_NAME,
  dataType: { kind: 'text', required: true, most: 100 },
  dataCategory: { kind: 'text', most: 256 },
  formatString: TEXT,
  isHidden: FLAG,
  sortByColumn: { kind: 'text', most: 512 },
  summarizeBy: {
    kind: 'word',
    words: ['default', 'none', 'sum', 'min', 'max', 'count', 'average', 'distinctCount'],
  },
} as const satisfies Shape;

export const MEASURE_SHAPE = {
  name: COLUMN_NAME,
  expression: EXPRESSION,
  description: TEXT,
  formatString: TEXT,
  isHidden: FLAG,
} as const satisfies Shape;

export const RELATIONSHIP_SHAPE = {
  name: NAME,
  fromTable: NAME,
  fromColumn: COLUMN_NAME,
  toTable: NAME,
  toColumn: COLUMN_NAME,
  crossFilteringBehavior: { kind: 'word', words: CROSS_FILTERING },
} as const satisfies Shape;

export const DATASOURCE_SHAPE = {
  datasourceType: TEXT,
  connectionString: TEXT,
  name: TEXT,
  datasourceId: { kind: 'guid' },
  gatewayId: { kind: 'guid' },
  connectionDetails: { kind: 'object' },
} as const satisfies Shape;

export const CONNECTION_SHAPE = {
  account: TEXT,
  classInfo: TEXT,
  database: TEXT,
  domain: TEXT,
  /** Some documentation uses this name for the same property. */
  ___domain: TEXT,
  emailAddress: TEXT,
  kind: TEXT,
  loginServer: TEXT,
  path: TEXT,
  server: TEXT,
  url: TEXT,
} as const satisfies Shape;
