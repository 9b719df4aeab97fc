import type { ProbePlan } from '../plan.ts';
import type { ProbeStatus } from '../status.ts';
import type { ProbeOutcome } from '../types.ts';

/** The longest time that an engine is taken at its word for. */
const LONGEST_FORECAST_MS = 30 * 24 * 3_600_000;

/** Failures are counted for users to see, so that none is left out before there are so many, and then a tenth at a time. */
const MANY_FAILURES = 1000;
const SHARE_LEFT_OUT = 0.1;

/**
 * What a probe's outcome means, and when the next one is due. Where the engine knows that it would find the same again, probes are
 * left out: a year of seconds has to pass at once.
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
