import { Type } from 'typebox';
import { errorTable } from '../http/errors.ts';
import { ok, type Route, type RouteHead, route } from '../http/route.ts';
import type { OpenSettings } from './open.ts';
import { type ReadSettings, readSettings, SettingMistake } from './read.ts';
import { type SettingsTable, spellingsOf } from './table.ts';

/** Errors of a change of settings. */
export const settingErrors = errorTable({
  NoSuchSetting: [400, "There is no setting '{name}'; GET /_jar/{service}/settings lists them all."],
  BadSetting: [400, "The setting '{setting}' {reason}."],
});

/** Declares the two calls that show and change the settings of a service. */
export function settingsCalls({ service, about }: Pick<SettingsTable<object>, 'service' | 'about'>) {
  const path = `/_jar/${service}/settings`;
  const name = service.charAt(0).toUpperCase() + service.slice(1);
  return {
    get: {
      method: 'GET',
      path,
      operation: `Jar_Get${name}Settings`,
      summary: `The settings of ${about} in force, each with its source`,
    },
    change: {
      method: 'PATCH',
      path,
      operation: `Jar_Change${name}Settings`,
      summary: 'Changes settings on all nodes immediately; null resets a setting',
    },
  } as const satisfies Readonly<Record<string, RouteHead>>;
}

export function settingsControl<S extends object>(settings: OpenSettings<S>): readonly Route[] {
  const { get, change } = settingsCalls(settings.table);
  const responses = { 200: viewSchema() };
  return [
    route({ ...get, responses, handle: async () => ok({ settings: await settings.view() }) }),
    route({
      ...change,
      // Names are validated together with the values, so that all spellings and `null` are accepted.
      body: Type.Record(Type.String(), Type.Unknown()),
      responses,
      async handle({ body }) {
        await settings.change(read(settings.table, body));
        return ok({ settings: await settings.view() });
      },
    }),
  ];
}

/** Validates the whole change before any of it is written. */
function read<S extends object>(table: SettingsTable<S>, given: Readonly<Record<string, unknown>>): ReadSettings<S> {
  const known = new Set(Object.keys(table.rows).flatMap((name) => spellingsOf(table, name)));
  const unknown = Object.keys(given).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const { service } = table;
    throw settingErrors.NoSuchSetting({ service, name: unknown.slice(0, 100) }, { target: unknown });
  }
  try {
    return readSettings(table, given);
  } catch (error) {
    if (!(error instanceof SettingMistake)) throw error;
    const { setting, message: reason } = error;
    throw settingErrors.BadSetting({ setting, reason }, { target: setting });
  }
}

const viewSchema = () =>
  Type.Object({
    settings: Type.Record(
      Type.String(),
      Type.Object({
        value: Type.Unknown({
          description: 'Milliseconds, a number, true or false, a list or a table; null if there is no value',
        }),
        text: Type.Optional(Type.String({ description: 'A duration in readable form' })),
        source: Type.Enum(['default', 'configuration', 'run time']),
        summary: Type.String(),
      }),
    ),
  });
