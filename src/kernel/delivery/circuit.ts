import type { BoundPolicy } from './bound-policy.ts';
import type { AttemptResult } from './policy.ts';
import type { DestinationRecord } from './records.ts';

/** What is known of a destination after one more failure. `opened` when this failure puts it on probation. */
export function afterFailure(
  policy: BoundPolicy,
  before: DestinationRecord | undefined,
  place: Pick<DestinationRecord, 'destination' | 'address'>,
  result: AttemptResult,
  now: number,
): { readonly record: DestinationRecord; readonly opened: boolean } {
  const { circuit } = policy;
  const failures = (before?.failures ?? 0) + 1;
  const onProbation = before?.until !== undefined && before.until > now;
  const opened = circuit !== undefined && failures >= circuit.afterFailures && !onProbation;
  const probations = (before?.probations ?? 0) + (opened ? 1 : 0);
  const until = opened ? now + probationMs(circuit, probations, result.outcome) : before?.until;
  return {
    opened,
    record: {
      policy: policy.name,
      service: policy.service,
      ...place,
      failures,
      since: before?.since ?? now,
      lastAt: now,
      outcome: result.outcome,
      ...(result.status !== undefined && { status: result.status }),
      ...(result.error !== undefined && { error: result.error }),
      probations,
      ...(until !== undefined && { until }),
    },
  };
}

function probationMs(circuit: NonNullable<BoundPolicy['circuit']>, times: number, outcome: string): number {
  const delay = circuit.probationMs[Math.min(times, circuit.probationMs.length) - 1] ?? 0;
  return Math.max(delay, circuit.byOutcome?.[outcome] ?? 0);
}

/** Until when nothing is sent there; 0 when it may be. */
export function closedUntil(record: DestinationRecord | undefined, now: number): number {
  return record?.until !== undefined && record.until > now ? record.until : 0;
}

/** Its probation is over, but whether it works again only a first message can tell. */
export function isProbe(record: DestinationRecord | undefined): boolean {
  return record?.until !== undefined;
}
