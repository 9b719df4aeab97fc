import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import { subjectOf } from './batches.ts';
import {
  configurationKey,
  type DestinationFailure,
  type ExportConfiguration,
  exportConfigurations,
} from './collections.ts';
import { isActive } from './queue.ts';

/** Delays before the first, second, … retry of a destination; the last one applies to all further retries. */
const RETRY_AFTER_MS = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** A destination that fails for this long becomes invalid. */
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

/** The destination was reached, so queued entries can be exported. */
export async function verified(jar: Jar, tried: ExportConfiguration): Promise<void> {
  await changeTried(jar, tried, ({ trouble: _, stateInfo: __, ...rest }) => ({ ...rest, state: 'Enabled' }));
}

/** Sets the state to Invalid: a retry would not help. */
export async function invalid(jar: Jar, tried: ExportConfiguration, reason: string): Promise<void> {
  await changeTried(jar, tried, ({ trouble: _, ...rest }, now) => ({
    ...rest,
    state: 'Invalid',
    stateInfo: reason,
    inactiveSince: now,
  }));
}

/** Schedules a retry; the configuration becomes invalid if the destination has been failing for too long. */
export async function failed(jar: Jar, tried: ExportConfiguration, reason: string): Promise<void> {
  const { since = jar.clock.now(), failures = 0 } = tried.trouble ?? {};
  const now = jar.clock.now();
  if (now - since >= GIVEN_UP_AFTER_MS) return invalid(jar, tried, `Abandoned after a day of failures. ${reason}`);
  const delay = RETRY_AFTER_MS[Math.min(failures, RETRY_AFTER_MS.length - 1)] as number;
  const trouble: DestinationFailure = { since, failures: failures + 1, retryAt: now + delay };
  await changeTried(jar, tried, (current) => ({ ...current, trouble, stateInfo: `Will be retried. ${reason}` }));
}

/** Applies only if the configuration is still active with the same destination; a concurrent change or deletion wins. */
async function changeTried(
  { store, clock }: Jar,
  tried: ExportConfiguration,
  change: (current: ExportConfiguration, now: number) => ExportConfiguration,
): Promise<void> {
  await store.transact(async (tx) => {
    const current = (await tx.get(exportConfigurations, configurationKey(tried.appId, tried.id)))?.value;
    if (!current || !isActive(current) || current.sealed !== tried.sealed) return;
    await putConfiguration(tx, change(current, clock.now()), clock.now(), current.state);
  });
}

/** Writes a change record if the state has changed. */
export async function putConfiguration(
  tx: Tx,
  configuration: ExportConfiguration,
  at: number,
  stateBefore?: ExportConfiguration['state'],
): Promise<void> {
  await tx.put(exportConfigurations, configurationKey(configuration.appId, configuration.id), configuration);
  const { state, kind } = configuration;
  if (state === stateBefore) return;
  await tx.change({
    source: 'lifecycle',
    kind: 'write',
    subject: subjectOf(configuration),
    outcome: state === 'Invalid' ? 'Failed' : 'Succeeded',
    at,
    data: { type: kind, state },
  });
}
