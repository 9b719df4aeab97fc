import type { Settings } from './settings.ts';

/** The notifications that a hook decides on. */
export interface Notified {
  readonly companyId: string;
  readonly companyName: string;
  readonly route: string;
  readonly set: string;
}

/** Milliseconds from the first change to the notification. */
export const delayFor = (settings: Settings, notified: Notified): number =>
  answerOf(settings.onGetDelayTime, notified) ?? settings.apiSubscriptionDelayTime;

/** Maximum number of single notifications set by the hook; undefined if the hook sets none. */
export const hookedMaximum = (settings: Settings, notified: Notified): number | undefined =>
  answerOf(settings.onGetMaxNumberOfNotifications, notified);

function answerOf(
  hook: Settings['onGetDelayTime'],
  { companyId, companyName, route, set }: Notified,
): number | undefined {
  if (hook === undefined || typeof hook === 'number') return hook;
  const isOne = (word: string | undefined, ...names: readonly string[]): boolean =>
    word === undefined || names.some((name) => name.toLowerCase() === word.toLowerCase());
  return hook.find(
    ({ company, resource }) => isOne(company, companyId, companyName) && isOne(resource, set, `${route}/${set}`),
  )?.value;
}
