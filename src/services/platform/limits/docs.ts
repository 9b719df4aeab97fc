import { limitNameOf } from './declared.ts';
import { OWN_ROWS } from './own-rows.ts';
import { RATE_ROWS, type RateRow } from './rate-rows.ts';
import { RESOURCE_ROWS, type ResourceRow } from './resource-rows.ts';
import { rateMetric } from './shown-rows.ts';

/** The tables of `docs/services/platform-limits.md`, generated from the enforced rows. */

const MEASURES: Readonly<Record<ResourceRow['measure'], string>> = {
  count: 'quota',
  hourly: 'quota per hour',
  bound: 'bound',
  measured: 'measured',
  management: 'management quota',
};

const number = (value: number | undefined): string =>
  value === undefined ? 'none published' : value.toLocaleString('en-US');
const fixed = (value: boolean): string => (value ? 'yes' : 'no');

/** A test that proves a row. */
interface Proof {
  readonly file: string;
  readonly title: string;
}

/** The tests of the rows, named by the tests themselves. */
export interface Proofs {
  proofOf(id: string): Proof;
  readonly PROOF_BY_BUCKET: Proof;
}

/** Browsers show the test's title at the link. */
const proofLink = (id: string, { file, title }: Proof): string =>
  `[${file.replace(/^test\/services\//, '').replace(/\.test\.ts$/, '')}](../../${file} "${title.replace('%s', id)}")`;

const resourceLine = (row: ResourceRow, { proofOf }: Proofs): readonly string[] => [
  row.resource,
  row.metric,
  `${number(row.limit)} ${row.unit}`,
  row.scope,
  fixed(row.fixed),
  row.region,
  MEASURES[row.measure],
  `\`${limitNameOf(row)}\``,
  proofLink(row.id, proofOf(row.id)),
];

const rateLine = (row: RateRow, { PROOF_BY_BUCKET }: Proofs): readonly string[] => [
  row.api,
  row.paths.map((path) => `\`${rateMetric(row.methods, [path])}\``).join(', '),
  `${number(row.limit)} per ${row.per}${row.shared ? ', together' : row.paths.length > 1 ? ' each' : ''}`,
  row.scope,
  fixed(row.fixed),
  proofLink('', PROOF_BY_BUCKET),
];

const ownLine = (row: ResourceRow, { proofOf }: Proofs): readonly string[] => [
  row.resource,
  row.metric,
  `${number(row.limit)} ${row.unit}`,
  row.scope,
  MEASURES[row.measure],
  `\`${limitNameOf(row)}\``,
  proofLink(row.id, proofOf(row.id)),
];

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const TABLES: Readonly<Record<string, (proofs: Proofs) => string>> = {
  'resource limits': (proofs) =>
    table(
      ['Resource', 'Metric', 'Limit', 'Scope', 'Fixed', 'Region', 'Kind', 'Name', 'Test'],
      RESOURCE_ROWS.map((row) => resourceLine(row, proofs)),
    ),
  'further limits': (proofs) =>
    table(
      ['Resource', 'Metric', 'Limit', 'Scope', 'Kind', 'Name', 'Test'],
      OWN_ROWS.map((row) => ownLine(row, proofs)),
    ),
  'rate limits': (proofs) =>
    table(
      ['API', 'Calls', 'Limit', 'Scope', 'Fixed', 'Test'],
      RATE_ROWS.map((row) => rateLine(row, proofs)),
    ),
};

/** The page with its generated tables updated. Throws if the page lacks a marker. */
export function withLimitTables(page: string, proofs: Proofs): string {
  return Object.entries(TABLES).reduce((text, [name, draw]) => {
    const [start, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`the page has no marker for the table of ${name}`);
    return `${text.slice(0, from)}${start}\n${draw(proofs)}\n${text.slice(to)}`;
  }, page);
}
