import { eq, type Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { principalKey, principals, workspaces } from '../accounts/collections.ts';
import type { Receivers } from '../destinations/announce.ts';
import { nextTime } from '../engine/cron.ts';
import { membersOf, numberOf, textOf } from '../engine/json.ts';
import { objectKey, objects, type PlatformObject, placeOf } from '../engine/objects.ts';
import { keyOf } from '../engine/removal.ts';
import type { PlatformJar } from '../jar.ts';
import { DASHBOARDS_NAME, SUBSCRIPTIONS_NAME } from './names.ts';
import { publishedIn, sendDashboard } from './send.ts';
import { SEND_DASHBOARD, sendingId } from './work.ts';

function dueAfter({ fields }: PlatformObject, after: number): number | undefined {
  const { quartz_cron_expression, timezone_id } = membersOf(fields.cron_schedule);
  if (fields.pause_status === 'PAUSED') return undefined;
  return nextTime(textOf(quartz_cron_expression) ?? '', textOf(timezone_id) ?? '', after);
}

const timingOf = ({ fields }: PlatformObject): string => JSON.stringify([fields.cron_schedule, fields.pause_status]);

/** In the transaction that writes a schedule: schedules the next sending of its dashboard, or cancels it. */
export async function planSending(
  tx: Tx,
  jar: PlatformJar,
  schedule: PlatformObject,
  before?: PlatformObject,
): Promise<void> {
  if (before && timingOf(before) === timingOf(schedule)) return;
  const key = keyOf(schedule);
  const at = dueAfter(schedule, jar.clock.now());
  if (at !== undefined) await tx.schedule(SEND_DASHBOARD.at(at, { key }, sendingId(key)));
  else if (before) await tx.cancel(sendingId(key));
}

export const cancelSending = async (tx: Tx, schedule: PlatformObject): Promise<void> => {
  await tx.cancel(sendingId(keyOf(schedule)));
};

/** Sends a dashboard only if it is published and not in the trash. Firings missed while the jar was off are coalesced into one. */
export const sendOnTime = workHandler(SEND_DASHBOARD, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const schedule = (await tx.get(objects, item.payload.key))?.value;
    const next = schedule && dueAfter(schedule, jar.clock.now());
    if (next === undefined) await tx.complete(item);
    else await tx.schedule(SEND_DASHBOARD.at(next, item.payload, sendingId(item.payload.key)));
    if (!schedule) return;
    const { scope, parent = '' } = schedule;
    const dashboard = (await tx.get(objects, objectKey(scope, DASHBOARDS_NAME, parent), 'none'))?.value;
    if (!dashboard || dashboard.trashedAt !== undefined || !publishedIn(dashboard)) return;
    await sendDashboard(tx, jar, dashboard, await subscribersOf(tx, schedule));
  });
});

const MOST_SUBSCRIPTIONS = 10_000;

async function subscribersOf(tx: Tx, { scope, id }: PlatformObject): Promise<Receivers> {
  const workspace = (await tx.get(workspaces, scope, 'none'))?.value;
  const filter = eq('under', `${placeOf(scope, SUBSCRIPTIONS_NAME)}/${id}`);
  const { items } = await tx.query(objects, { filter, limit: MOST_SUBSCRIPTIONS });
  const addresses: string[] = [];
  const destinations: string[] = [];
  for (const { value } of items) {
    if (value.fields.skip_notify === true) continue;
    const { user_subscriber, destination_subscriber } = membersOf(value.fields.subscriber);
    const destination = textOf(membersOf(destination_subscriber).destination_id);
    if (destination !== undefined) destinations.push(destination);
    const user = numberOf(membersOf(user_subscriber).user_id);
    if (user === undefined || !workspace) continue;
    const principal = (await tx.get(principals, principalKey(workspace.accountId, String(user)), 'none'))?.value;
    if (principal?.userName !== undefined && principal.active) addresses.push(principal.userName);
  }
  return { addresses, destinations };
}
