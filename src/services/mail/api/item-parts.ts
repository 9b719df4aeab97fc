import { anyObject, list } from './fields.ts';

/** Parts of a message or an event that are validated by code of their own. */
export const ITEM_PARTS = {
  attachments: list(anyObject, 1000),
  extensions: list(anyObject, 100),
  singleValueExtendedProperties: list(anyObject, 1000),
  multiValueExtendedProperties: list(anyObject, 1000),
};
