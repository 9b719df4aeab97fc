import { dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { SeriesChart } from '../../shared/chart/series-chart.tsx';
import { count } from '../../shared/format/numbers.ts';
import { Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type AppName, lifecycle } from './api.ts';
import { usePeriod } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';

/** Logs of devices change everything here. */
const ON = ['/logs'] as const;

/** How an app is used: devices, sessions, events, versions. */
export function Analytics({ name }: { readonly name: AppName }) {
  const { days, choose, start } = usePeriod();
  const usage = useData(['lifecycle', 'usage', name, start], (signal) => readUsage(name, start, signal), {
    on: ON,
    keepPrevious: true,
  });
  const { data } = usage;
  return (
    <Stack>
      <PeriodChoice days={days} choose={choose} />
      <FailureNotice failure={usage.failure} what="The usage" />
      {data && (
        <>
          <SeriesChart
            label="Active devices and sessions a day"
            at={data.devices.daily.map(({ datetime }) => Date.parse(datetime))}
            series={[
              { label: 'Active devices', values: data.devices.daily.map((each) => each.count) },
              { label: 'Sessions', values: sessionsOn(data), tone: 'info' },
              { label: 'Crashes and errors', values: errorsOn(data), tone: 'failure' },
            ]}
            format={count}
          />
          <Section title="Events">
            <Table
              label="Events"
              items={data.events.events}
              keyOf={({ id }) => id}
              empty="No event was sent in this period."
              columns={[
                { title: 'Event', cell: (event) => event.name },
                { title: 'Count', isNumber: true, cell: (event) => count(event.count) },
                { title: 'Devices', isNumber: true, cell: (event) => count(event.device_count) },
                { title: 'Per session', isNumber: true, cell: (event) => event.count_per_session.toFixed(1) },
              ]}
            />
          </Section>
          <Section title="Versions">
            {data.versions.versions.length === 0 && <Soft>No device has reported a version in this period.</Soft>}
            {data.versions.versions.map(({ version, count: devices }) => (
              <Meter
                key={version}
                label={version}
                value={devices}
                // A version that all devices have is no warning.
                most={data.versions.total * 2}
                text={`${count(devices)} of ${count(data.versions.total)} devices`}
              />
            ))}
          </Section>
        </>
      )}
    </Stack>
  );
}

type Usage = Awaited<ReturnType<typeof readUsage>>;

const countOn = (days: readonly { readonly datetime: string; readonly count: number }[], usage: Usage): number[] => {
  const byDay = new Map(days.map(({ datetime, count: value }) => [datetime.slice(0, 10), value]));
  return usage.devices.daily.map(({ datetime }) => byDay.get(datetime.slice(0, 10)) ?? 0);
};
const sessionsOn = (usage: Usage): number[] => countOn(usage.sessions, usage);
const errorsOn = (usage: Usage): number[] => countOn(usage.errors.errors, usage);

async function readUsage(path: AppName, start: string, signal: AbortSignal) {
  const at = { params: { path, query: { start } }, signal };
  const base = '/v0.1/apps/{owner_name}/{app_name}';
  const [devices, sessions, events, versions, errors] = await Promise.all([
    dataOf(lifecycle.GET(`${base}/analytics/active_device_counts`, at)),
    dataOf(
      lifecycle.GET(`${base}/analytics/session_counts`, {
        params: { path, query: { start, interval: 'P1D' } },
        signal,
      }),
    ),
    dataOf(lifecycle.GET(`${base}/analytics/events`, at)),
    dataOf(lifecycle.GET(`${base}/analytics/versions`, at)),
    dataOf(lifecycle.GET(`${base}/errors/errorCountsPerDay`, at)),
  ]);
  return { devices, sessions, events, versions, errors };
}
