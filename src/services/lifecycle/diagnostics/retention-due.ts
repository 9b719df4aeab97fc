import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { type Report, retentions } from './collections.ts';
import { REPORT_RETENTION } from './work.ts';

/** Due times of report deletion. The deletion itself is in `retention.ts`. */

export const RETENTION_DAYS = [28, 90] as const;
/** The default is the longer one. */
const DEFAULT_RETENTION_DAYS = 90;

export async function retentionDays(tx: Pick<Tx, 'get'>, appId: string): Promise<number> {
  return (await tx.get(retentions, appId, 'none'))?.value.days ?? DEFAULT_RETENTION_DAYS;
}

/** The first millisecond at which a report of this time is expired. */
export const expiryOf = (at: string, days: number): number => Date.parse(at) + days * DAY_MS;

/** Reports before this time are expired. */
export const horizonOf = ({ clock }: Pick<Jar, 'clock'>, days: number): string =>
  new Date(clock.now() - days * DAY_MS).toISOString();

/** Wakes the retention work of the app at this time or earlier. */
export const wakeRetentionAt = (tx: Tx, appId: string, dueAt: number): Promise<void> =>
  tx.wake(REPORT_RETENTION.at(dueAt, { appId }, `${REPORT_RETENTION.kind}/${appId}`));

/** Wakes the retention work when this report expires. */
export async function wakeRetention(tx: Tx, { appId, at }: Pick<Report, 'appId' | 'at'>): Promise<void> {
  const dueAt = expiryOf(at, await retentionDays(tx, appId));
  await wakeRetentionAt(tx, appId, dueAt);
}
