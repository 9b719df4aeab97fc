import type { Jar } from '../../kernel/jar-context.ts';
import type { Tx } from '../../kernel/store/types.ts';
import { changedSettings, SETTINGS_KEY } from './settings-collection.ts';
import { configuredSettings } from './settings-configured.ts';
import { DEFAULT_SETTINGS, type Hook, type Settings, type StoredSettings } from './settings-table.ts';

export type { Settings } from './settings-table.ts';

type Configured = Pick<Jar, 'config'>;

/** What is in force: what was changed at run time, then the configuration, then the defaults. From memory, but for the first time. */
export async function effectiveSettings(jar: Pick<Jar, 'config' | 'store'>): Promise<Settings> {
  const { store } = jar;
  const stored = store.peek(changedSettings, SETTINGS_KEY) ?? (await store.cached(changedSettings, SETTINGS_KEY));
  return settled(jar, stored?.value);
}

/** The same inside a transaction, where nothing else may be waited for. */
export async function settingsWithin(tx: Tx, jar: Configured): Promise<Settings> {
  return settled(jar, (await tx.get(changedSettings, SETTINGS_KEY, 'none'))?.value);
}

const settled = (jar: Configured, changed: StoredSettings | undefined): Settings => ({
  ...DEFAULT_SETTINGS,
  ...configuredSettings(jar),
  ...changed,
});

/** Whose notifications are meant, as hooks tell them apart. */
export interface Notified {
  readonly companyId: string;
  readonly companyName: string;
  readonly route: string;
  readonly set: string;
}

/** Milliseconds from the first change to the notification. */
export const delayFor = (settings: Settings, notified: Notified): number =>
  answerOf(settings.onGetDelayTime, notified) ?? settings.apiSubscriptionDelayTime;

/** What the hook says on how many entries are sent one by one, where it says anything. */
export const hookedMaximum = (settings: Settings, notified: Notified): number | undefined =>
  answerOf(settings.onGetMaxNumberOfNotifications, notified);

function answerOf(hook: Hook | undefined, { companyId, companyName, route, set }: Notified): number | undefined {
  if (hook === undefined || typeof hook === 'number') return hook;
  const isOne = (word: string | undefined, ...names: readonly string[]): boolean =>
    word === undefined || names.some((name) => name.toLowerCase() === word.toLowerCase());
  return hook.find(
    ({ company, resource }) => isOne(company, companyId, companyName) && isOne(resource, set, `${route}/${set}`),
  )?.value;
}
