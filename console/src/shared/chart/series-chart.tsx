import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useTheme } from '../theme.ts';
import styles from './series-chart.module.css';

export interface Series {
  readonly label: string;
  /** One value per point; null where there is none. */
  readonly values: readonly (number | null)[];
  readonly tone?: 'accent' | 'success' | 'warning' | 'failure' | 'info' | 'soft';
  /** The area below the line is coloured. */
  readonly isFilled?: boolean;
}

interface Props {
  /** What is shown, for screen readers, which get the newest values as text. */
  readonly label: string;
  /** X values: milliseconds since 1970 with `isTime`, other numbers without. */
  readonly at: readonly number[];
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  readonly isTime?: boolean;
  /** Values are counts: there is nothing to label between them. */
  readonly isWhole?: boolean;
  readonly height?: number;
}

const TONES = ['accent', 'success', 'warning', 'info', 'failure', 'soft'] as const;
const HEIGHT = 160;
const SECONDS = 1000;
const plain = (value: number): string => `${value}`;

/** Lines over time or steps, for series that grow while they are watched. */
export function SeriesChart(props: Props) {
  const { label, at, series, format = plain, isTime = true, isWhole = false, height = HEIGHT } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const [theme] = useTheme();
  const [width, setWidth] = useState(0);
  const names = series.map((each) => each.label).join('\n');
  const data = useMemo<uPlot.AlignedData>(
    () => [isTime ? at.map((time) => time / SECONDS) : [...at], ...series.map(({ values }) => [...values])],
    [at, series, isTime],
  );
  const latest = useRef({ data, series, format });
  latest.current = { data, series, format };

  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme or other series need another chart; new values do not
  useEffect(() => {
    const element = place.current;
    if (!element || width === 0) return undefined;
    const made = new uPlot(
      optionsOf({ ...latest.current, width, height, isTime, isWhole, element }),
      latest.current.data,
      element,
    );
    chart.current = made;
    return () => {
      chart.current = undefined;
      made.destroy();
    };
  }, [theme, names, width, height, isTime, isWhole]);
  useEffect(() => chart.current?.setData(data), [data]);

  return (
    <figure className={styles.figure} aria-label={label}>
      <div ref={place} className={styles.place} aria-hidden />
      <figcaption className={styles.legend}>
        {series.map(({ label: name, values, tone }, index) => (
          <span key={name} className={styles.entry}>
            <svg width="10" height="10" aria-hidden>
              <rect width="10" height="10" rx="2" className={styles[tone ?? toneAt(index)]} />
            </svg>
            {name} <strong>{lastOf(values, format)}</strong>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const toneAt = (index: number): (typeof TONES)[number] => TONES[index % TONES.length] ?? 'accent';

function lastOf(values: readonly (number | null)[], format: (value: number) => string): string {
  const last = values.findLast((value) => value !== null);
  return last === undefined || last === null ? '—' : format(last);
}

interface Shown extends Required<Pick<Props, 'series' | 'format' | 'isTime' | 'isWhole' | 'height'>> {
  readonly width: number;
  readonly element: HTMLElement;
}

function optionsOf({ series, format, width, height, isTime, isWhole, element }: Shown): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name === 'soft' ? 'text-soft' : name}`).trim();
  const axis = { stroke: colour('text-soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } };
  const bottom = { ...axis, size: 24, gap: 4, ...(isTime && { space: timeSpace, values: timesOf }) };
  const left = {
    ...axis,
    size: widthOf,
    space: 24,
    values: (_: uPlot, splits: number[]) => textsOf(splits, format, isWhole),
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false },
    padding: [8, 16, 0, 0],
    tzDate: (at) => uPlot.tzDate(new Date(at * SECONDS), 'Etc/UTC'),
    scales: {
      x: { time: isTime },
      y: { range: (_, low, high) => [-roundedUp(-(low ?? 0)), roundedUp(high ?? 0) || 1] },
    },
    axes: [bottom, left],
    series: [
      {},
      ...series.map(({ label, tone, isFilled }, index) => ({
        label,
        stroke: colour(tone ?? toneAt(index)),
        width: 1.5,
        // A value without neighbours is on no line.
        points: { show: (chart: uPlot, place: number) => isAlone(chart.data[place] ?? []), size: 5 },
        spanGaps: true,
        ...(isFilled && { fill: colour(`${tone ?? toneAt(index)}-soft`) }),
        value: (_: uPlot, value: number | null) => (value === null ? '—' : format(value)),
      })),
    ],
  };
}

const isAlone = (values: ArrayLike<number | null | undefined>): boolean =>
  Array.from(values).filter((value) => value !== null && value !== undefined).length === 1;

const STEPS = [1, 2, 2.5, 5, 10] as const;

/** The next round number above, so that the axis ends with a label; 0 for numbers below 0. */
function roundedUp(value: number): number {
  if (value <= 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * unit >= value) ?? 10) * unit;
}

const textsOf = (splits: readonly number[], format: (value: number) => string, isWhole: boolean): string[] =>
  splits.map((value) => (isWhole && !Number.isInteger(value) ? '' : format(value)));

const LETTER_PX = 7;
const GAP_PX = 14;

const widthOf = (_: uPlot, texts: readonly string[] | null): number =>
  GAP_PX + LETTER_PX * Math.max(2, ...(texts ?? []).map(({ length }) => length));

const MINUTE_S = 60;
const DAY_S = 86_400;

/** Room for a time in pixels: where there are seconds, they are shown. */
const timeSpace = (_: uPlot, __: number, from: number, to: number): number => (to - from < 4 * MINUTE_S ? 72 : 50);

/** `08:03`, with seconds or as a day where the distance asks for it. */
function timesOf(_: uPlot, splits: readonly number[]): string[] {
  const [first = 0, second = first + MINUTE_S] = splits;
  const distance = second - first;
  return splits.map((at) => {
    const iso = new Date(at * SECONDS).toISOString();
    return distance >= DAY_S ? iso.slice(5, 10) : iso.slice(11, distance < MINUTE_S ? 19 : 16);
  });
}
