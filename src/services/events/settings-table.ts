import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';

const rows = {
  foreignScopes: {
    kind: 'flag',
    // A misspelt scope is an error in the real cloud; by default, in the jar too.
    default: false,
    title:
      'Whether event subscriptions and system topics are accepted for resources of which the jar has no record, of types that send events in the real cloud and that the jar does not implement',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** The settings that can be given in the configuration and at run time. */
export const EVENT_SETTINGS = defineSettings('events', { about: 'events', rows });

export type ChangeableSettings = (typeof EVENT_SETTINGS)['defaults'];
