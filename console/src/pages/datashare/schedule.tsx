import { useGo } from '../../shared/address.ts';
import { TimeLine, type TimeMark } from '../../shared/chart/time-line.tsx';
import { useNow } from '../../shared/format/now.tsx';
import { exact } from '../../shared/format/times.ts';
import { Section, Soft } from '../../shared/ui/layout.tsx';
import { type Run, runAddress } from './api.ts';

interface Props {
  readonly runs: readonly Run[];
  readonly recurrenceInterval: string | undefined;
  readonly synchronizationTime: string | undefined;
  /** What the schedule means on this side. */
  readonly about: string;
}

const HOUR = 3_600_000;
/** Shown before and after the present. */
const INTERVALS = 6;

/** Synchronizations of the past and the times of the schedule, on one line. */
export function Schedule({ runs, recurrenceInterval, synchronizationTime, about }: Props) {
  const { now } = useNow();
  const go = useGo();
  const interval = recurrenceInterval === undefined ? undefined : recurrenceInterval === 'Hour' ? HOUR : 24 * HOUR;
  const oldest = Math.min(now - HOUR, ...runs.map(startOf));
  const from = interval === undefined ? oldest : now - INTERVALS * interval;
  const to = interval === undefined ? now : now + INTERVALS * interval;
  const marks = [
    ...runs.filter((run) => endOf(run, now) >= from).map((run) => markOf(run, now, (to - from) * SHORTEST_SPAN)),
    ...(interval === undefined ? [] : snapshots(Date.parse(synchronizationTime ?? ''), interval, { from, to, now })),
  ];
  return (
    <Section title="Schedule">
      <TimeLine
        label="Synchronizations and schedule"
        from={from}
        to={to}
        now={now}
        marks={marks}
        onChoose={(id) => id.startsWith(SNAPSHOT) || go(runAddress(id))}
        empty="There is no schedule, and nothing was synchronized yet."
      />
      <Soft>{about}</Soft>
    </Section>
  );
}

const startOf = ({ startTime, queuedAt }: Run): number => Date.parse(startTime ?? queuedAt);

const TONES: Readonly<Record<string, TimeMark['tone']>> = {
  Succeeded: 'success',
  Failed: 'failure',
  Cancelled: 'warning',
};

const endOf = ({ endTime }: Run, now: number): number => (endTime === undefined ? now : Date.parse(endTime));

/** A shorter one is a point. */
const SHORTEST_SPAN = 0.01;

function markOf(run: Run, now: number, shortest: number): TimeMark {
  const at = startOf(run);
  const until = endOf(run, now);
  const label = `${run.status}, ${run.mode}, ${exact(at)}`;
  const tone = TONES[run.status] ?? 'info';
  return { id: run.id, at, lane: 'Synchronizations', label, tone, ...(until - at > shortest && { until }) };
}

const SNAPSHOT = 'snapshot ';

interface Range {
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

function snapshots(first: number, interval: number, { from, to, now }: Range): TimeMark[] {
  const marks: TimeMark[] = [];
  const begin = Math.max(0, Math.ceil((from - first) / interval));
  for (let at = first + begin * interval; at <= to; at += interval) {
    const tone = at > now ? 'accent' : 'info';
    marks.push({ id: `${SNAPSHOT}${at}`, at, lane: 'Schedule', label: `Scheduled for ${exact(at)}`, tone });
  }
  return marks;
}
