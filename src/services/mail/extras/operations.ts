import type { Operation } from '../api/request.ts';
import { attachmentOperations } from '../attachments/operations.ts';
import { EVENT_ITEMS } from './event-item.ts';
import { extensionOperations } from './extension-calls.ts';
import { MENTION_OPERATIONS } from './mentions.ts';
import { MESSAGE_ITEMS } from './message-item.ts';

/** Operations on parts of messages and events: attachments, extensions, mentions. */
export const EXTRA_OPERATIONS: readonly Operation[] = [
  ...[MESSAGE_ITEMS, EVENT_ITEMS].flatMap((source) => [
    ...attachmentOperations(source),
    ...extensionOperations(source),
  ]),
  ...MENTION_OPERATIONS,
];
