import type { ProbePlan } from '../plan.ts';
import type { ProbeStatus } from '../status.ts';
import type { ProbeOutcome } from '../types.ts';

/** How far ahead an engine's forecast is trusted. */
const LONGEST_FORECAST_MS = 30 * 24 * 3_600_000;

/** Users see the number of failures, so probes are skipped only beyond this number, and at most a tenth of it at a time. */
const MANY_FAILURES = 1000;
const SHARE_LEFT_OUT = 0.1;

/**
 * Applies the outcome of a probe and computes when the next one is due. Probes are skipped if the engine forecasts the same outcome, so
 * that the clock can be advanced by a year at once.
 */
export function judge(known: ProbeStatus, outcome: ProbeOutcome, probe: ProbePlan, now: number): ProbeStatus {
  const failures = outcome.healthy ? 0 : known.failures + (known.leftOut ?? 0) + 1;
  const successes = outcome.healthy ? known.successes + 1 : 0;
  const passing = known.passing ? failures < probe.failureThreshold : successes >= probe.successThreshold;
  const period = probe.periodSeconds * 1000;
  const next = known.dueAt + period > now ? known.dueAt + period : now + period;
  const alike = Math.max(0, Math.ceil((Math.min(outcome.until ?? now, now + LONGEST_FORECAST_MS) - next) / period));
  const judged = { failures, successes, passing };
  if (outcome.healthy) return { ...judged, dueAt: next + (passing ? alike * period : 0) };
  const most = passing || failures < MANY_FAILURES ? 0 : Math.floor(failures * SHARE_LEFT_OUT);
  const leftOut = Math.min(alike, most);
  return { ...judged, dueAt: next + leftOut * period, ...(leftOut > 0 && { leftOut }) };
}
