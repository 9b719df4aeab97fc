import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { type Series, SeriesChart } from '../../shared/chart/series-chart.tsx';
import { count, counted, milliseconds, rate } from '../../shared/format/numbers.ts';
import { useRate } from '../../shared/live/rate.ts';
import { classes } from '../../shared/style/class-names.ts';
import styles from './overview.module.css';
import type { Overview } from './use-overview.ts';

const HEIGHT = 104;

/** Rate, errors and latency, each with its course. */
export function Pulse({ overview }: { readonly overview: Overview }) {
  const { points, ms } = overview.series;
  const at = points.map((point) => Date.parse(point.at));
  const total = sumOf(points, 'count');
  const sent = sumOf(points, 'outbound');
  const failed = sumOf(points, 'failed');
  const notAccepted = sumOf(points, 'outboundFailed');
  const seen = seenIn(overview);
  const perSecond = useRate(({ requests }) => requests.count);
  return (
    <div className={styles.pulse}>
      <Card
        title="Requests a second"
        href={addressOf('requests')}
        value={rate(perSecond)}
        note={`${counted(total, 'request')}, ${counted(sent, 'message')} sent`}
      >
        <SeriesChart
          label="Requests and sent messages a second"
          at={at}
          series={[
            {
              label: 'requests',
              values: seen(({ count: value }, seconds) => value / seconds),
              tone: 'accent',
              isFilled: true,
            },
            { label: 'messages', values: seen(({ outbound }, seconds) => outbound / seconds), tone: 'info' },
          ]}
          format={rate}
          height={HEIGHT}
        />
      </Card>
      <Card
        title="Errors"
        href={`${addressOf('requests')}?show=errors`}
        value={count(failed + notAccepted)}
        note={shareText(failed, total)}
        tone={failed + notAccepted > 0 ? 'failure' : undefined}
      >
        <SeriesChart
          label="Failed requests and messages"
          at={at}
          series={[
            { label: 'requests', values: seen((point) => point.failed), tone: 'failure', isFilled: true },
            { label: 'messages', values: seen((point) => point.outboundFailed), tone: 'warning' },
          ]}
          format={count}
          isWhole
          height={HEIGHT}
        />
      </Card>
      <Card
        title="Latency, median"
        href={`${addressOf('requests')}?order=${encodeURIComponent('ms desc')}`}
        value={ms.p50 === null ? '—' : milliseconds(ms.p50)}
        note={ms.p99 !== null && `99 of 100 within ${milliseconds(ms.p99)}`}
      >
        <SeriesChart
          label="Latency"
          at={at}
          series={LATENCIES.map(({ name, tone }) => ({ label: name, values: seen((point) => point[name]), tone }))}
          format={milliseconds}
          height={HEIGHT}
        />
      </Card>
    </div>
  );
}

const LATENCIES = [
  { name: 'p50', tone: 'accent' },
  { name: 'p95', tone: 'warning' },
  { name: 'p99', tone: 'soft' },
] as const satisfies readonly { readonly name: string; readonly tone: Series['tone'] }[];

type Point = Overview['series']['points'][number];

function sumOf(points: readonly Point[], name: 'count' | 'failed' | 'outbound' | 'outboundFailed'): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}

/** Values of the points; the last point is shorter than the others, because it goes on. */
function seenIn({ series: { points, bucketMs }, readAt }: Overview) {
  return (valueAt: (point: Point, seconds: number) => number | null): (number | null)[] =>
    points.map((point) => {
      const lasts = Math.min(bucketMs, readAt - Date.parse(point.at));
      return valueAt(point, Math.max(1_000, lasts) / 1_000);
    });
}

const shareText = (failed: number, total: number): string | undefined =>
  total === 0 ? undefined : `${((failed / total) * 100).toFixed(failed === 0 ? 0 : 1)} % of the requests`;

interface CardProps {
  readonly title: string;
  readonly href: string;
  readonly value: ReactNode;
  readonly note: ReactNode;
  readonly tone?: 'failure' | undefined;
  readonly children: ReactNode;
}

function Card({ title, href, value, note, tone, children }: CardProps) {
  return (
    <section className={styles.card}>
      <h2 className={styles.cardTitle}>
        <Link href={href} className={styles.plain}>
          {title}
        </Link>
      </h2>
      <p className={styles.cardHead}>
        <Link href={href} className={classes(styles.value, tone && styles[tone])}>
          {value}
        </Link>
        <span className={styles.note}>{note}</span>
      </p>
      {children}
    </section>
  );
}
