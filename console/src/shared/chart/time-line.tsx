import type { ReactNode } from 'react';
import { clockTime } from '../format/times.ts';
import { classes } from '../style/class-names.ts';
import styles from './time-line.module.css';

export interface TimeMark {
  readonly id: string;
  readonly at: number;
  readonly label: string;
  readonly tone?: 'accent' | 'success' | 'warning' | 'failure' | 'info' | undefined;
  /** Rows with the same lane are on one line. */
  readonly lane: string;
  /** A span instead of a point. */
  readonly until?: number;
}

interface Props {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** The time from now to here is shaded: a chosen span. */
  readonly shadedTo?: number | undefined;
  readonly marks: readonly TimeMark[];
  readonly onChoose?: (id: string) => void;
  readonly empty?: ReactNode;
}

const WIDTH = 1000;
const LANE = 28;
const TICKS = 5;

/** What happens when: one lane per kind, points and spans, and the present. The same as a list is for the page to show. */
export function TimeLine({ label, from, to, now, shadedTo, marks, onChoose, empty }: Props) {
  const lanes = [...new Set(marks.map(({ lane }) => lane))];
  if (lanes.length === 0) return <p>{empty}</p>;
  const place = (at: number): number => ((Math.min(Math.max(at, from), to) - from) / Math.max(1, to - from)) * WIDTH;
  const ticks = Array.from({ length: TICKS }, (_, index) => from + ((to - from) * index) / (TICKS - 1));
  const height = lanes.length * LANE;
  return (
    <figure className={styles.figure} aria-label={label}>
      <div className={styles.lanes}>
        <ul className={styles.names}>
          {lanes.map((lane) => (
            <li key={lane} title={lane}>
              {lane}
            </li>
          ))}
        </ul>
        <div className={styles.plot}>
          <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" height={height} width="100%" aria-hidden>
            {shadedTo !== undefined && (
              <rect
                x={place(now)}
                width={Math.max(0, place(shadedTo) - place(now))}
                height={height}
                className={styles.shade}
              />
            )}
            {lanes.map((lane, index) => (
              <line
                key={lane}
                x1="0"
                x2={WIDTH}
                y1={(index + 0.5) * LANE}
                y2={(index + 0.5) * LANE}
                className={styles.line}
              />
            ))}
            <line x1={place(now)} x2={place(now)} y1="0" y2={height} className={styles.now} />
            {marks.map(({ id, at, until, lane, tone = 'accent', label: title }) => {
              const y = lanes.indexOf(lane) * LANE + 7;
              const x = place(at);
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the time line has the same things for the keyboard
                <rect
                  key={id}
                  x={until === undefined ? x - 3 : x}
                  y={y}
                  width={until === undefined ? 6 : Math.max(3, place(until) - x)}
                  height={LANE - 14}
                  rx="2"
                  className={classes(styles.mark, styles[tone], onChoose && styles.chosen)}
                  onClick={() => onChoose?.(id)}
                >
                  <title>{title}</title>
                </rect>
              );
            })}
          </svg>
          <div className={styles.ticks}>
            {ticks.map((tick) => (
              <span key={tick}>{clockTime(tick, now)}</span>
            ))}
          </div>
        </div>
      </div>
    </figure>
  );
}
