import { type Static, Type } from 'typebox';
import { type Figures, percentileOf, type RequestLog, type ServiceFigures } from '../../kernel/telemetry/index.ts';
import { isoTime, MINUTE_MS } from '../../kernel/time/index.ts';

const POINTS = 60;

const Count = Type.Integer({ minimum: 0 });
export const OptionalMs = Type.Union([Type.Number(), Type.Null()]);

export const SeriesSchema = Type.Object(
  {
    bucketMs: Type.Integer(),
    from: Type.String({ description: 'Start of the first point, by the system clock' }),
    points: Type.Array(
      Type.Object({
        at: Type.String({ description: 'Start of the point, by the system clock' }),
        count: Count,
        failed: Count,
        outbound: Count,
        outboundFailed: Count,
        p50: OptionalMs,
        p95: OptionalMs,
        p99: OptionalMs,
      }),
    ),
    ms: Type.Object({ p50: OptionalMs, p95: OptionalMs, p99: OptionalMs }, { description: 'Of all points together' }),
  },
  {
    description:
      'Requests to the jar and messages that it sent, by time; durations of the requests in milliseconds, to a tenth of their length',
  },
);

export interface LogFigures {
  readonly series: Static<typeof SeriesSchema>;
  readonly byService: ReadonlyMap<string, ServiceFigures>;
}

/** `now` is by the system clock, because the jar's clock may stand still. */
export function figuresOf({ figures }: RequestLog, minutes: number, now: number): LogFigures {
  const bucketMs = (minutes * MINUTE_MS) / POINTS;
  const from = (Math.floor(now / bucketMs) - POINTS + 1) * bucketMs;
  const points = Array.from({ length: POINTS }, (_, index) => {
    const at = from + index * bucketMs;
    const { durations, ...counts } = figures.between(at, at + bucketMs);
    return { at: isoTime(at), ...counts, ...percentilesOf(durations) };
  });
  const end = from + POINTS * bucketMs;
  const ms = percentilesOf(figures.between(from, end).durations);
  return { series: { bucketMs, from: isoTime(from), points, ms }, byService: figures.byService(from, end) };
}

export const percentilesOf = (durations: Figures['durations'] = NO_DURATIONS) => ({
  p50: percentileOf(durations, 0.5),
  p95: percentileOf(durations, 0.95),
  p99: percentileOf(durations, 0.99),
});

const NO_DURATIONS = new Uint32Array();
