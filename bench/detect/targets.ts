import { claimsOf, meaningOf } from './detectors/detector.ts';
import { lingua } from './detectors/lingua.ts';
import { isAmong, judgedByGroups, macroAccuracy } from './measured.ts';
import type { Measured } from './orders.ts';
import { calibrationErrorOf, percent, ratioOf } from './report.ts';
import type { SpeedRatio } from './speed.ts';
import type { Table } from './table.ts';
import { KINDS } from './texts.ts';

export interface Target {
  readonly title: string;
  readonly wanted: string;
  readonly reached: string;
  readonly met: boolean;
}

const MOST_CALIBRATION_ERROR = 0.05;
const MOST_MEMORY_MB = 100;
const LEAST_SPEED_RATIO = 1;

/** Targets of our detector, as far as this run has measured them. */
export function targetsOf(all: readonly Measured[], turns: SpeedRatio | undefined): Target[] {
  const ours = all.find(({ name }) => name === 'ours');
  if (!ours) return [];
  const rival = all.find(({ name }) => name === lingua.name);
  const error = calibrationErrorOf(ours);
  return [
    ...(rival ? againstLingua(ours, rival) : []),
    {
      title: 'expected calibration error in points',
      wanted: `under ${MOST_CALIBRATION_ERROR * 100}`,
      reached: percent(error),
      met: error < MOST_CALIBRATION_ERROR,
    },
    ...(turns ? [againstFastText(ratioOf(turns))] : []),
    {
      title: 'memory in MB',
      wanted: `at most ${MOST_MEMORY_MB}`,
      reached: ours.memoryMb.toFixed(0),
      met: ours.memoryMb <= MOST_MEMORY_MB,
    },
  ];
}

/** Over the languages that Lingua knows, and without requiring distinctions that Lingua does not make. */
function againstLingua(ours: Measured, rival: Measured): Target[] {
  const isLinguas = isAmong(claimsOf(lingua));
  const groups = lingua.codes.map((code) => meaningOf(lingua, code));
  return KINDS.filter((kind) => ours.tally[kind].some(isLinguas)).map((kind) => {
    const reached = macroAccuracy(judgedByGroups(ours.tally[kind].filter(isLinguas), groups));
    const theirs = macroAccuracy(rival.tally[kind], isLinguas);
    return {
      title: `${kind} of Lingua's languages, at its granularity, in %`,
      wanted: `over Lingua's ${percent(theirs)}`,
      reached: percent(reached),
      met: reached > theirs,
    };
  });
}

function againstFastText(ratio: number): Target {
  return {
    title: 'sentences/s against fasttext.wasm.js',
    wanted: `at least ${LEAST_SPEED_RATIO}`,
    reached: ratio.toFixed(2),
    met: ratio >= LEAST_SPEED_RATIO,
  };
}

export function targetTable(targets: readonly Target[]): Table {
  return {
    title: 'Targets',
    head: ['', 'wanted', 'reached', 'met'],
    rows: targets.map(({ title, wanted, reached, met }) => [title, wanted, reached, met ? 'yes' : 'NO']),
  };
}
