import { limitNameOf } from './declared.ts';
import { isLaterPath, isLaterRow } from './later.ts';
import { OWN_ROWS } from './own-rows.ts';
import { RATE_ROWS, type RateRow } from './rate-rows.ts';
import { RESOURCE_ROWS, type ResourceRow } from './resource-rows.ts';
import { rateMetric } from './shown-rows.ts';

/** The tables of `docs/platform-limits.md`, out of the rows that are enforced. */

const MEASURES: Readonly<Record<ResourceRow['measure'], string>> = {
  count: 'count',
  hourly: 'created in an hour',
  bound: 'bound',
  measured: 'measured',
  management: 'count of the management gateway',
};

const number = (value: number | undefined): string =>
  value === undefined ? 'none published' : value.toLocaleString('en-US');
const release = (later: boolean): string => (later ? 'later' : 'this one');
const fixed = (value: boolean): string => (value ? 'yes' : 'no');

const resourceLine = (row: ResourceRow): readonly string[] => [
  row.resource,
  row.metric,
  `${number(row.limit)} ${row.unit}`,
  row.scope,
  fixed(row.fixed),
  row.region,
  MEASURES[row.measure],
  `\`${limitNameOf(row)}\``,
  release(isLaterRow(row.id)),
];

const rateLine = (row: RateRow): readonly string[] => [
  row.api,
  row.paths.map((path) => `\`${rateMetric(row.methods, [path])}\``).join(', '),
  `${number(row.limit)} per ${row.per}${row.shared ? ', together' : row.paths.length > 1 ? ' each' : ''}`,
  row.scope,
  fixed(row.fixed),
  release(row.paths.every(isLaterPath)),
];

const ownLine = (row: ResourceRow): readonly string[] => [
  row.resource,
  row.metric,
  `${number(row.limit)} ${row.unit}`,
  row.scope,
  MEASURES[row.measure],
  `\`${limitNameOf(row)}\``,
];

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const TABLES: Readonly<Record<string, () => string>> = {
  'resource limits': () =>
    table(
      ['Resource', 'Metric', 'Limit', 'Scope', 'Fixed', 'Region', 'Held as', 'Name', 'Release'],
      RESOURCE_ROWS.map(resourceLine),
    ),
  'further limits': () => table(['Resource', 'Metric', 'Limit', 'Scope', 'Held as', 'Name'], OWN_ROWS.map(ownLine)),
  'rate limits': () => table(['API', 'Calls', 'Limit', 'Scope', 'Fixed', 'Release'], RATE_ROWS.map(rateLine)),
};

/** The page with its generated tables as they have to be. Throws where the page lacks a marker. */
export function withLimitTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, draw]) => {
    const [start, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the page has no place for the table of ${name}`);
    return `${text.slice(0, from)}${start}\n${draw()}\n${text.slice(to)}`;
  }, page);
}
