import type { Operation } from './api/request.ts';
import { DELTA_OPERATIONS } from './delta/operations.ts';
import { FOLDER_OPERATIONS } from './folders/operations.ts';
import { MESSAGE_OPERATIONS } from './messages/operations.ts';
import { OUTLOOK_OPERATIONS } from './outlook/operations.ts';
import { RULE_OPERATIONS } from './rules/operations.ts';
import { SENDING_OPERATIONS } from './sending/operations.ts';
import { SETTINGS_OPERATIONS } from './settings/operations.ts';

/** Every operation on a mailbox. */
export const MAIL_OPERATIONS: readonly Operation[] = [
  ...MESSAGE_OPERATIONS,
  ...SENDING_OPERATIONS,
  ...FOLDER_OPERATIONS,
  ...DELTA_OPERATIONS,
  ...RULE_OPERATIONS,
  ...SETTINGS_OPERATIONS,
  ...OUTLOOK_OPERATIONS,
];
