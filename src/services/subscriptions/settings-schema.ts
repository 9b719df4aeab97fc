import { settingsRules as rulesFor } from '../../kernel/settings/index.ts';
import { SUBSCRIPTIONS_SETTINGS } from './settings-table.ts';

/** `services.subscriptions` in cloudjar.config.json. */
export const settingsRules = rulesFor(SUBSCRIPTIONS_SETTINGS);
