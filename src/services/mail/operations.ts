import { Operations } from './api/operations.ts';
import { CALENDAR_OPERATIONS } from './calendar/operations.ts';
import { DELTA_OPERATIONS } from './delta/operations.ts';
import { EXTRA_OPERATIONS } from './extras/operations.ts';
import { FOLDER_OPERATIONS } from './folders/operations.ts';
import { MESSAGE_OPERATIONS } from './messages/operations.ts';
import { OUTLOOK_OPERATIONS } from './outlook/operations.ts';
import { RULE_OPERATIONS } from './rules/operations.ts';
import { SENDING_OPERATIONS } from './sending/operations.ts';
import { SETTINGS_OPERATIONS } from './settings/operations.ts';

/** All operations on a mailbox. */
export const operations = new Operations([
  ...MESSAGE_OPERATIONS,
  ...SENDING_OPERATIONS,
  ...EXTRA_OPERATIONS,
  ...FOLDER_OPERATIONS,
  ...CALENDAR_OPERATIONS,
  ...DELTA_OPERATIONS,
  ...RULE_OPERATIONS,
  ...SETTINGS_OPERATIONS,
  ...OUTLOOK_OPERATIONS,
]);
