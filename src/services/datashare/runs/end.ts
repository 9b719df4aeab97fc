import { recordOutcome } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { ownedKey, type Run, runs, shareSubscriptions, shares } from '../collections.ts';
import { recordActivity } from '../model/records.ts';
import { scheduleEnd } from '../shares/consumer.ts';
import { TYPES } from '../types.ts';
import { forProvider } from './messages.ts';

export interface RunEnd {
  readonly status: 'Succeeded' | 'Failed' | 'Cancelled';
  readonly message?: string;
  readonly providerMessage?: string;
}

const OUTCOMES = { Succeeded: 'Succeeded', Failed: 'Failed', Cancelled: 'Canceled' } as const;

/** Ends a run. Its document, the share subscription's active run and the activity records of both sides commit together. */
export async function endRun(tx: Tx, run: Run, { status, ...messages }: RunEnd, now: number): Promise<Run> {
  const { holder: _, ...rest } = run;
  const ended: Run = {
    ...rest,
    status,
    endTime: now,
    durationMs: now - (run.startTime ?? now),
    ...messages,
  };
  await tx.put(runs, ownedKey(run.subscription, run.id), ended);
  const errorOf = (message = '') => (status === 'Failed' ? { code: 'SynchronizationFailed', message } : undefined);
  const error = errorOf(messages.message);
  const subscription = (await tx.get(shareSubscriptions, run.subscriptionKey))?.value;
  if (subscription?.uid === run.subscription && subscription.active?.run === run.id) {
    const { active: _run, ...free } = subscription;
    await tx.put(shareSubscriptions, run.subscriptionKey, free);
    await scheduleEnd(tx, run.subscriptionKey, free, now);
    if (run.origin) await recordOutcome(tx, run.origin, now, OUTCOMES[status], error);
    else await record(tx, TYPES.subscription, free, now, status, error);
  }
  const share = (await tx.get(shares, run.shareKey, 'none'))?.value;
  if (share?.uid === run.share) await record(tx, TYPES.share, share, now, status, errorOf(forProvider(messages)));
  return ended;
}

type Side = { readonly id: string; readonly home: Parameters<typeof recordActivity>[1]['home'] };

const record = (
  tx: Tx,
  type: string,
  { id, home }: Side,
  at: number,
  status: RunEnd['status'],
  error: { code: string; message: string } | undefined,
): Promise<void> =>
  recordActivity(
    tx,
    { type, effect: 'action', action: 'synchronize', resourceUri: `${id}/synchronize`, home, at },
    OUTCOMES[status],
    error,
  );
