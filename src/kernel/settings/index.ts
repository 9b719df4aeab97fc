/** Settings of a service that come from the configuration and can be changed at run time with the control API. */
export { type OpenSettings, openSettings, type SettingsHost } from './open.ts';
export { settingsRules } from './rules.ts';
export { type Case, defineSettings, type SettingRow, type SettingsOf, type SettingsTable } from './table.ts';
