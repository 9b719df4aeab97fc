import { Link } from 'wouter';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { TimeLine, type TimeMark } from '../../shared/chart/time-line.tsx';
import { useNow } from '../../shared/format/now.tsx';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { exact } from '../../shared/format/times.ts';
import { useFrame } from '../../shared/live/live.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { TARGET_PARAM, WORK, type WorkItem, workAddress } from './addresses.ts';
import { Subject } from './subject.tsx';
import { targetTime } from './target.ts';
import { WorkState } from './work-state.tsx';

/** Items on the time line; the list of due work has all. */
const DRAWN = 200;
const LISTED = 10;
const HOUR = 3_600_000;

const RANGES = [
  { value: 'hour', label: 'Hour', ms: HOUR },
  { value: 'day', label: 'Day', ms: 24 * HOUR },
  { value: 'week', label: 'Week', ms: 7 * 24 * HOUR },
  { value: 'all', label: 'All', ms: Number.POSITIVE_INFINITY },
] as const;

/** What is due next, on a time line and as a table. */
export function DueNext() {
  const { now } = useNow();
  const frame = useFrame();
  const go = useGo();
  const [range, setRange] = useAddressParam('range');
  const [chosen] = useAddressParam(TARGET_PARAM);
  const due = useData(
    ['work', 'next'],
    (signal) =>
      dataOf(control.GET('/_jar/work', { params: { query: { $top: DRAWN, $filter: "state ne 'parked'" } }, signal })),
    { on: ['work', 'clock'] },
  );
  const items = due.data?.value ?? [];
  const shown = RANGES.find(({ value }) => value === range) ?? RANGES[3];
  const target = targetTime(chosen, frame?.nextDue, now);
  const last = Math.max(now + 60_000, ...items.map(({ dueAt }) => Date.parse(dueAt)));
  const to = Number.isFinite(shown.ms) ? now + shown.ms : now + (last - now) * 1.02;
  const within = items.filter(({ dueAt }) => Date.parse(dueAt) <= to);
  return (
    <Section
      title="Due next"
      actions={<Choice label="Range of the time line" value={shown.value} choices={RANGES} onChange={setRange} />}
    >
      <FailureNotice failure={due.failure} what="Due work" />
      {due.data && items.length === 0 ? (
        <Empty title="Nothing is due" command={EXAMPLE}>
          Work that the jar does at a certain time appears here: retries of deliveries, expiring subscriptions, runs of
          schedules.
        </Empty>
      ) : (
        <Stack>
          <TimeLine
            label="Due work"
            from={now}
            to={to}
            now={now}
            shadedTo={target}
            marks={within.map((item) => markOf(item, now, target))}
            onChoose={(id) => go(workAddress(id))}
            empty="Nothing is due in this range."
          />
          <Table
            label="Due next"
            items={items.slice(0, LISTED)}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Due', cell: ({ dueAt }) => <Time at={dueAt} /> },
              { title: 'Work', cell: ({ id, title, kind }) => <Link href={workAddress(id)}>{title ?? kind}</Link> },
              { title: 'About', cell: ({ subject }) => subject && <Subject of={subject} /> },
              { title: 'State', cell: (item) => <WorkState {...item} /> },
            ]}
          />
          {items.length > LISTED && (
            <Soft>
              <Link href={addressOf('time', WORK)}>
                All due work{due.data?.nextLink === undefined ? `, ${counted(items.length, 'item')}` : ''}
              </Link>
            </Soft>
          )}
        </Stack>
      )}
    </Section>
  );
}

function markOf(
  { id, kind, title, subject, dueAt, attempts }: WorkItem,
  now: number,
  target: number | undefined,
): TimeMark {
  const at = Date.parse(dueAt);
  const name = title ?? kind;
  const tone = attempts > 0 ? 'warning' : target !== undefined && at <= target ? 'accent' : 'info';
  return {
    id,
    at: Math.max(at, now),
    lane: name,
    tone,
    label: `${[name, subject].filter(Boolean).join(': ')}, ${exact(at)}`,
  };
}

const EXAMPLE = 'npx cloudjar clock advance 1d';
