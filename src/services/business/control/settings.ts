import { Type } from 'typebox';
import { formatDuration } from '../../../kernel/clock/duration.ts';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import { settingsWithin } from '../effective-settings.ts';
import { changedSettings, SETTINGS_KEY } from '../settings-collection.ts';
import { configuredMaximum, configuredSettings } from '../settings-configured.ts';
import { WEBHOOK_PROPERTIES } from '../settings-schema.ts';
import {
  MAXIMUM_SUBSCRIPTIONS,
  readMaximum,
  readSettings,
  SETTING_NAMES,
  SETTING_ROWS,
  SettingMistake,
  type SettingName,
  type Settings,
  type StoredSettings,
} from '../settings-table.ts';
import { SUBSCRIPTIONS } from '../webhooks/limits.ts';
import { businessControlErrors } from './subscription-errors.ts';

const SettingsView = Type.Object({
  settings: Type.Record(
    Type.String(),
    Type.Object({
      value: Type.Unknown({ description: 'Milliseconds, a number, a list or a table; null where there is none' }),
      text: Type.Optional(Type.String({ description: 'A duration as people write it' })),
      source: Type.Enum(['default', 'configuration', 'run time']),
      summary: Type.String(),
    }),
  ),
});

export const getSettings = routeCode([], {
  responses: { 200: SettingsView },
  handle: async ({ jar }) => ok(await view(jar)),
});

/** The names are checked when the values are, so that both spellings and `null` are taken. */
const Changes = Type.Record(Type.String(), Type.Unknown());

export const changeSettings = routeCode([], {
  body: Changes,
  responses: { 200: SettingsView },
  async handle({ jar, body }) {
    const { changes, maximum } = read(body);
    await jar.store.transact(async (tx) => {
      await tx.lock(changedSettings.name);
      const before = (await tx.get(changedSettings, SETTINGS_KEY))?.value ?? {};
      const after = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
      await tx.put(changedSettings, SETTINGS_KEY, Object.fromEntries(after) as StoredSettings);
    });
    if (maximum !== undefined) await jar.limits.overrides.apply([{ name: SUBSCRIPTIONS.name, limit: maximum }]);
    return ok(await view(jar));
  },
});

/** All of it is read before any of it is written. */
function read(body: Readonly<Record<string, unknown>>) {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(WEBHOOK_PROPERTIES, name));
  if (unknown !== undefined) {
    throw businessControlErrors.NoSuchSetting({ name: unknown.slice(0, 100) }, { target: unknown });
  }
  try {
    return { changes: readSettings(body), maximum: readMaximum(body) };
  } catch (error) {
    if (!(error instanceof SettingMistake)) throw error;
    const { setting, message: reason } = error;
    throw businessControlErrors.BadSetting({ setting, reason }, { target: setting });
  }
}

async function view(jar: Jar) {
  const { effective, changed } = await jar.store.transact(async (tx) => ({
    effective: await settingsWithin(tx, jar),
    changed: (await tx.get(changedSettings, SETTINGS_KEY, 'none'))?.value ?? {},
  }));
  const configured = configuredSettings(jar);
  const settings = Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      {
        value: effective[name] ?? null,
        ...textOf(name, effective),
        source: sourceOf(changed[name] !== undefined, configured[name] !== undefined),
        summary: SETTING_ROWS[name].title,
      },
    ]),
  );
  return { settings: { ...settings, [MAXIMUM_SUBSCRIPTIONS]: maximumView(jar) } };
}

function maximumView(jar: Jar) {
  const { overrides } = jar.limits;
  const isChanged = overrides.list(SUBSCRIPTIONS.name).some(({ scope, limit }) => !scope && limit !== undefined);
  return {
    value: overrides.rulesOf(SUBSCRIPTIONS).general.maximum,
    source: sourceOf(isChanged, configuredMaximum(jar) !== undefined),
    summary: `The most subscriptions of a tenant: the limit '${SUBSCRIPTIONS.name}'`,
  };
}

const sourceOf = (isChanged: boolean, isConfigured: boolean) =>
  isChanged ? 'run time' : isConfigured ? 'configuration' : 'default';

function textOf(name: SettingName, settings: Settings): { text?: string } {
  const value = settings[name];
  return SETTING_ROWS[name].kind === 'duration' ? { text: formatDuration(value as number) } : {};
}
