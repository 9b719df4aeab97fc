/** Settings of a service that the configuration gives and the control API changes at run time. */
export { type OpenSettings, openSettings, type SettingsHost } from './open.ts';
export { settingsRules } from './rules.ts';
export { type Case, defineSettings, type SettingRow, type SettingsOf, type SettingsTable } from './table.ts';
