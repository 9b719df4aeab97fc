import { anyObject, list } from './fields.ts';

/** What comes with a message or an event, and is read by code of its own. */
export const ITEM_PARTS = {
  attachments: list(anyObject, 1000),
  extensions: list(anyObject, 100),
  singleValueExtendedProperties: list(anyObject, 1000),
  multiValueExtendedProperties: list(anyObject, 1000),
};
