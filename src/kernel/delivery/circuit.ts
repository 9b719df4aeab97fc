import type { BoundPolicy } from './bound-policy.ts';
import type { AttemptResult } from './policy.ts';
import type { DestinationRecord } from './records.ts';

/** State of a destination after another failure. `opened` is true if this failure opens the circuit (starts a probation). */
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

/** Until when the circuit is open; 0 if messages may be sent. */
export function openUntil(record: DestinationRecord | undefined, now: number): number {
  return record?.until !== undefined && record.until > now ? record.until : 0;
}

/** Half-open: the probation is over, and the next message shows whether the destination works again. */
export function isHalfOpen(record: DestinationRecord | undefined): boolean {
  return record?.until !== undefined;
}
