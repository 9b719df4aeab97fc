import { useAddressParam } from '../../shared/address.ts';
import { TimeLine, type TimeMark } from '../../shared/chart/time-line.tsx';
import { useNow } from '../../shared/format/now.tsx';
import { longSpan } from '../../shared/format/times.ts';
import { Select } from '../../shared/ui/field.tsx';
import { Section } from '../../shared/ui/layout.tsx';
import type { FullGroup, StateRecord } from './api.ts';

const MINUTE = 60_000;

const SPANS = [
  { value: 'all', label: 'Everything kept', ms: undefined },
  { value: 'day', label: 'Last day', ms: 24 * 60 * MINUTE },
  { value: 'hour', label: 'Last hour', ms: 60 * MINUTE },
  { value: 'minutes', label: 'Last 10 minutes', ms: 10 * MINUTE },
] as const;

/** The states of the containers, one lane for each; the list of states is below the events. */
export function StatesOverTime({ group: { history } }: { readonly group: FullGroup }) {
  const { now } = useNow();
  const [chosen, choose] = useAddressParam('span');
  const span = SPANS.find(({ value }) => value === chosen) ?? SPANS[0];
  const first = Date.parse(history[0]?.at ?? '') || now;
  const from = span.ms === undefined ? first : now - span.ms;
  return (
    <Section
      title="States over time"
      actions={
        <Select
          label="Period"
          hideLabel
          value={span.value}
          choices={SPANS}
          onChange={(value) => choose(value === 'all' ? undefined : value)}
        />
      }
    >
      <TimeLine
        label="States of the containers over time"
        from={from}
        to={Math.max(now, from + 1)}
        now={now}
        marks={marksOf(history, now).filter(({ until = now }) => until > from)}
        empty="No container has had a state yet."
      />
    </Section>
  );
}

function marksOf(history: readonly StateRecord[], now: number): TimeMark[] {
  const lanes = Map.groupBy(history, ({ container }) => container);
  return [...lanes].flatMap(([lane, records]) =>
    records.map((record, index) => {
      const at = Date.parse(record.at);
      const until = Math.max(at, Date.parse(records[index + 1]?.at ?? '') || now);
      const label = `${lane}: ${record.state} ${describe(record)}, for ${longSpan(until - at)}`;
      return { id: `${lane} ${index}`, at, until, lane, label, tone: toneOf(record) };
    }),
  );
}

/** `Error, exit code 1, run 3` */
export const describe = ({ reason, exitCode, run }: StateRecord): string =>
  [reason, exitCode !== undefined && `exit code ${exitCode}`, run > 0 && `run ${run}`].filter(Boolean).join(', ');

export function toneOf({
  state,
  exitCode,
  reason,
}: Pick<StateRecord, 'state' | 'exitCode' | 'reason'>): NonNullable<TimeMark['tone']> {
  if (state === 'Running') return 'success';
  if (state === 'Terminated') return exitCode === 0 ? 'accent' : 'failure';
  return reason?.endsWith('BackOff') ? 'warning' : 'info';
}
