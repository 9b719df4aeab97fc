import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { type Report, retentions } from './collections.ts';
import { REPORT_RETENTION } from './work.ts';

/** When reports are due to be deleted. What does it is in `retention.ts`. */

export const RETENTION_DAYS = [28, 90] as const;
/** Until somebody says otherwise: the longer of the two. */
const DEFAULT_RETENTION_DAYS = 90;

export async function retentionDays(tx: Pick<Tx, 'get'>, appId: string): Promise<number> {
  return (await tx.get(retentions, appId, 'none'))?.value.days ?? DEFAULT_RETENTION_DAYS;
}

/** The first moment at which what happened at `at` is too old. */
export const expiryOf = (at: string, days: number): number => Date.parse(at) + days * DAY_MS;

/** Whatever happened before this is too old by now. */
export const horizonOf = ({ clock }: Pick<Jar, 'clock'>, days: number): string =>
  new Date(clock.now() - days * DAY_MS).toISOString();

/** Makes sure that somebody looks at the reports of the app at this time or sooner. */
export const lookAt = (tx: Tx, appId: string, dueAt: number): Promise<void> =>
  tx.wake(REPORT_RETENTION.at(dueAt, { appId }, `${REPORT_RETENTION.kind}/${appId}`));

/** Makes sure that somebody looks when this one is too old. */
export async function wakeRetention(tx: Tx, { appId, at }: Pick<Report, 'appId' | 'at'>): Promise<void> {
  const dueAt = expiryOf(at, await retentionDays(tx, appId));
  await lookAt(tx, appId, dueAt);
}
