import { eq, pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import {
  type Person,
  type Recurrence,
  type SynchronizationSetting,
  synchronizationSettings,
  type TriggerStatus,
  triggers,
} from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { QUOTAS } from '../limits.ts';
import { object, read, time, union, word } from '../model/body.ts';
import { type ChildKind, type ChildWriting, idAddress, ownedOf } from '../model/child.ts';
import { callerOf } from '../model/people.ts';
import { findShare, type SharePlace } from '../model/places.ts';
import { instantOf } from '../model/times.ts';
import { TYPES } from '../types.ts';
import { fireId } from '../work.ts';

/** The schedule on which a provider's data is ready to be copied. Triggers of consumers follow it. */

export const SCHEDULE_TARGET = 'properties.synchronizationTime';

export const SCHEDULE = {
  recurrenceInterval: word(['Day', 'Hour'], { required: true }),
  synchronizationTime: time({ required: true }),
};

const BODY = union('kind', { ScheduleBased: { properties: object(SCHEDULE, { implied: true }) } });

export const SETTING: ChildKind<SynchronizationSetting, SharePlace> = {
  type: TYPES.setting,
  operations: 'SynchronizationSettings',
  params: ['accountName', 'shareName', 'synchronizationSettingName'],
  collection: synchronizationSettings,
  quota: QUOTAS.setting,
  findParent: findShare,
  notFound: (name, { share }) => dataShareErrors.SynchronizationSettingNotFound({ name, share: share.name }),
  isAnonymous: true,
  show: ({ createdAt, user, ...setting }) => ({
    kind: 'ScheduleBased',
    properties: {
      ...scheduleView(setting),
      createdAt: isoTime(createdAt),
      provisioningState: 'Succeeded',
      userName: user.name,
    },
  }),
};

/** The representation for both sides. */
export const scheduleView = (it: Pick<SynchronizationSetting, 'recurrenceInterval' | 'synchronizationTime'>) => ({
  recurrenceInterval: it.recurrenceInterval,
  synchronizationTime: isoTime(it.synchronizationTime),
});

interface Prepared {
  readonly user: Person;
  readonly recurrenceInterval: Recurrence;
  readonly synchronizationTime: number;
}

export const SETTING_WRITING: ChildWriting<SynchronizationSetting, SharePlace, Prepared> = {
  body: BODY.schema(),
  async prepare(call, arm) {
    const { recurrenceInterval, synchronizationTime } = read(BODY, call.body, arm.view.rules).properties;
    return {
      recurrenceInterval,
      synchronizationTime: instantOf(synchronizationTime, SCHEDULE_TARGET),
      user: await callerOf(call),
    };
  },
  async write({ tx, parent, existing, prepared, ...write }) {
    const { user, ...schedule } = prepared;
    const isChanged =
      existing &&
      (existing.recurrenceInterval !== schedule.recurrenceInterval ||
        existing.synchronizationTime !== schedule.synchronizationTime);
    if (isChanged) await stopTriggers(tx, parent.uid, 'Inactive');
    return { ...ownedOf(write), ...schedule, share: parent.uid, user: existing?.user ?? user };
  },
  location: (call, { id }) => idAddress(call, id),
};

/** Stops the triggers of a deleted or changed schedule; consumers must create new ones. */
export async function stopTriggers(tx: Tx, share: string, status: TriggerStatus): Promise<void> {
  for await (const page of pagesOf(tx, triggers, { filter: eq('share', share) }))
    for (const { key } of page) {
      // The query result may be outdated; the locked document is current.
      const trigger = (await tx.get(triggers, key))?.value;
      if (trigger?.share !== share) continue;
      await tx.cancel(fireId(trigger.uid));
      await tx.put(triggers, key, { ...trigger, status });
    }
}
