import { settingsRules as rulesFor } from '../../kernel/settings/index.ts';
import { DATASETS_SETTINGS } from './settings-table.ts';

/** The schema of `services.datasets` in cloudjar.config.json. */
export const settingsRules = rulesFor(DATASETS_SETTINGS);
