import { recordOutcome } from '../../../kernel/arm/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import {
  type Person,
  type Recurrence,
  type RunMode,
  synchronizationSettings,
  type Trigger,
  triggers,
} from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import type { DataShareJar } from '../jar.ts';
import { QUOTAS } from '../limits.ts';
import { object, read, union, word } from '../model/body.ts';
import { type ChildKind, type ChildWriting, ownedOf } from '../model/child.ts';
import { callerOf } from '../model/people.ts';
import { findSubscription, type SubscriptionPlace } from '../model/places.ts';
import { instantOf } from '../model/times.ts';
import { beginByTrigger } from '../runs/begin.ts';
import { SCHEDULE, SCHEDULE_TARGET, scheduleView } from '../shares/setting.ts';
import { TYPES } from '../types.ts';
import { FINISH_TRIGGER, FIRE, fireId } from '../work.ts';

/** A trigger follows a schedule of the source: one run per hour or per day. */

const INTERVALS: Readonly<Record<Recurrence, number>> = { Hour: HOUR_MS, Day: DAY_MS };
const MODES = ['Incremental', 'FullSync'] as const;

const BODY = union('kind', {
  ScheduleBased: {
    properties: object(
      { ...SCHEDULE, synchronizationMode: word(MODES, { default: 'Incremental' }) },
      { implied: true },
    ),
  },
});

export const TRIGGER: ChildKind<Trigger, SubscriptionPlace> = {
  type: TYPES.trigger,
  operations: 'Triggers',
  params: ['accountName', 'shareSubscriptionName', 'triggerName'],
  collection: triggers,
  quota: QUOTAS.trigger,
  findParent: findSubscription,
  notFound: (name, { subscription }) => dataShareErrors.TriggerNotFound({ name, subscription: subscription.name }),
  show: ({ createdAt, user, status, provisioningState, synchronizationMode, ...it }) => ({
    kind: 'ScheduleBased',
    properties: {
      ...scheduleView(it),
      synchronizationMode,
      createdAt: isoTime(createdAt),
      provisioningState,
      triggerStatus: status,
      userName: user.name,
    },
  }),
};

interface Prepared {
  readonly user: Person;
  readonly recurrenceInterval: Recurrence;
  readonly synchronizationTime: number;
  readonly synchronizationMode: RunMode;
}

export const TRIGGER_WRITING: ChildWriting<Trigger, SubscriptionPlace, Prepared> = {
  body: BODY.schema(),
  async prepare(call, arm) {
    const { synchronizationTime, ...others } = read(BODY, call.body, arm.view.rules).properties;
    return {
      ...others,
      synchronizationTime: instantOf(synchronizationTime, SCHEDULE_TARGET),
      user: await callerOf(call),
    };
  },
  async write({ tx, parent, existing, prepared, key, now, origin, ...write }) {
    const { subscription } = parent;
    const { name, status } = subscription;
    // Checked first: a consumer without access must not find out the schedule by trial.
    if (status !== 'Active') throw dataShareErrors.ShareSubscriptionInWrongState({ name, status, wanted: 'Active' });
    if (!(await isOffered(tx, subscription.share, prepared)))
      throw dataShareErrors.ScheduleNotOffered(
        { recurrence: prepared.recurrenceInterval, time: isoTime(prepared.synchronizationTime) },
        { target: SCHEDULE_TARGET },
      );
    const finish = FINISH_TRIGGER.at(now, { key, uid: write.uid, origin }, `datashare.trigger:${write.uid}`);
    await tx.schedule(finish);
    return {
      ...ownedOf(write),
      ...prepared,
      user: existing?.user ?? prepared.user,
      subscription: parent.uid,
      subscriptionKey: parent.key,
      share: subscription.share,
      status: 'Inactive',
      provisioningState: 'Creating',
    };
  },
  location: (call) => `${call.origin}${call.url}`,
  continuesAfterResponse: true,
};

type Schedule = Pick<Trigger, 'recurrenceInterval' | 'synchronizationTime'>;

/** True if the source offers this schedule. Locks the setting, so that a concurrent change waits and then sees the new trigger. */
async function isOffered(tx: Tx, share: string, wanted: Schedule): Promise<boolean> {
  for await (const page of pagesOf(tx, synchronizationSettings, { prefix: `${share}/` }))
    for (const { key } of page) {
      const setting = (await tx.get(synchronizationSettings, key, 'share'))?.value;
      if (
        setting?.recurrenceInterval === wanted.recurrenceInterval &&
        setting.synchronizationTime === wanted.synchronizationTime
      )
        return true;
    }
  return false;
}

/** The next time of a schedule after `now`. */
export function nextTime({ recurrenceInterval, synchronizationTime }: Schedule, now: number): number {
  const interval = INTERVALS[recurrenceInterval];
  if (synchronizationTime > now) return synchronizationTime;
  return synchronizationTime + (Math.floor((now - synchronizationTime) / interval) + 1) * interval;
}

export const finishTrigger = workHandler(FINISH_TRIGGER, (item, jar: DataShareJar) =>
  jar.store.transact(async (tx) => {
    const { key, uid, origin } = item.payload;
    const now = jar.clock.now();
    const trigger = (await tx.get(triggers, key))?.value;
    if (trigger?.uid === uid && trigger.provisioningState === 'Creating') {
      // The source's schedule may have been changed or deleted meanwhile.
      const isGood = trigger.status === 'Inactive' && (await isOffered(tx, trigger.share, trigger));
      const status = isGood ? 'Active' : trigger.status;
      await tx.put(triggers, key, { ...trigger, status, provisioningState: 'Succeeded' });
      if (status === 'Active') await tx.schedule(FIRE.at(nextTime(trigger, now), { key, uid }, fireId(uid)));
      await recordOutcome(tx, origin, now, 'Succeeded');
    }
    await tx.complete(item);
  }),
);

/** Begins a run if possible and schedules the next one. */
export const fire = workHandler(FIRE, (item, jar: DataShareJar) =>
  jar.store.transact(async (tx) => {
    const { key, uid } = item.payload;
    const trigger = (await tx.get(triggers, key))?.value;
    await tx.complete(item);
    if (trigger?.uid !== uid || trigger.status !== 'Active') return;
    const now = jar.clock.now();
    await beginByTrigger(tx, jar, trigger, now);
    await tx.schedule(FIRE.at(nextTime(trigger, now), { key, uid }, fireId(uid)));
  }),
);

/** Removes the triggers of a deleted share subscription. */
export async function removeTriggers(tx: Tx, subscription: string): Promise<void> {
  for await (const page of pagesOf(tx, triggers, { prefix: `${subscription}/` }))
    for (const { key, value } of page) {
      await tx.cancel(fireId(value.uid));
      await tx.delete(triggers, key);
    }
}
