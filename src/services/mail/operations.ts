import type { Operation } from './api/request.ts';
import { CALENDAR_OPERATIONS } from './calendar/operations.ts';
import { DELTA_OPERATIONS } from './delta/operations.ts';
import { FOLDER_OPERATIONS } from './folders/operations.ts';
import { MESSAGE_OPERATIONS } from './messages/operations.ts';
import { SENDING_OPERATIONS } from './sending/operations.ts';

/** Every operation on a mailbox. */
export const MAIL_OPERATIONS: readonly Operation[] = [
  ...MESSAGE_OPERATIONS,
  ...SENDING_OPERATIONS,
  ...FOLDER_OPERATIONS,
  ...CALENDAR_OPERATIONS,
  ...DELTA_OPERATIONS,
];
