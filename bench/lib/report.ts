import type { Case, Comparison, Target } from './case.ts';
import { isMet, median, ratioOf, roundRatios } from './statistics.ts';

export interface Report {
  readonly case: Pick<Case, 'name' | 'summary'>;
  readonly comparisons: readonly Comparison[];
}

const HEAD = ['case', 'baseline', 'subject', 'ratio', 'target', 'met'] as const;

/** A row for people: medians, followed by the lowest and the highest round. */
function row(comparison: Comparison): string[] {
  const { title, unit, baseline, subject, target } = comparison;
  const ratio = ratioOf(comparison);
  return [
    title,
    `${baseline.name}: ${figures(baseline.values)} ${unit}`,
    `${subject.name}: ${figures(subject.values)} ${unit}`,
    `${figures(roundRatios(comparison))}`,
    target ? describeTarget(target) : '',
    target ? (isMet(ratio, target) ? 'yes' : 'NO') : '',
  ];
}

const figures = (values: readonly number[]): string =>
  `${short(median(values))} (${short(Math.min(...values))} to ${short(Math.max(...values))})`;

/** Three significant digits; more would only be noise. */
function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

const describeTarget = (target: Target): string =>
  'atMost' in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`;

export function missed(reports: readonly Report[]): Comparison[] {
  return reports
    .flatMap((report) => report.comparisons)
    .filter((each) => each.target !== undefined && !isMet(ratioOf(each), each.target));
}

export function printable({ case: { name, summary }, comparisons }: Report): string {
  const rows = [[...HEAD], ...comparisons.map(row)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const lines = rows.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd(),
  );
  const notes = comparisons.flatMap(({ note }) => (note === undefined ? [] : [`  ${note}`]));
  return [`${name}: ${summary}`, ...lines, ...notes, ''].join('\n');
}

/** One section of RESULTS.md. */
export function markdown({ case: { name, summary }, comparisons }: Report, measured: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [line(HEAD), `|${HEAD.map(() => '---').join('|')}|`, ...comparisons.map((each) => line(row(each)))];
  const notes = [...new Set(comparisons.flatMap(({ note }) => (note === undefined ? [] : [note])))];
  return [
    `## ${name}`,
    '',
    summary,
    '',
    ...table,
    '',
    ...notes.flatMap((note) => [note, '']),
    `Measured ${measured}.`,
    '',
  ].join('\n');
}

/** The figures as JSON. */
export function plain({ case: { name }, comparisons }: Report): object {
  return {
    case: name,
    comparisons: comparisons.map((each) => ({
      ...each,
      ratio: ratioOf(each),
      ratios: roundRatios(each),
      ...(each.target && { met: isMet(ratioOf(each), each.target) }),
    })),
  };
}
