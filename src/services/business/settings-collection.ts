import { collection } from '../../kernel/store/collection.ts';
import type { StoredSettings } from './settings-table.ts';

/** What was changed at run time, in one document. Cached: every request asks, and every node hears of a change. */
export const changedSettings = collection<StoredSettings>('business.settings', { cached: true });

export const SETTINGS_KEY = 'settings';
