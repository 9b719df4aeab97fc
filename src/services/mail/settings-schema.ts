import { settingsRules as rulesFor } from '../../kernel/settings/index.ts';
import { MAIL_SETTINGS } from './settings-table.ts';

/** `services.mail` in cloudjar.config.json. */
export const settingsRules = rulesFor(MAIL_SETTINGS);
