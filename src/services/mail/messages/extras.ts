import type { MessageInput } from './input.ts';
import type { Extras } from './types.ts';

/** Extensions and extended properties that come with a message or event. */
export const extrasOf = (
  _input: Pick<MessageInput, 'extensions' | 'singleValueExtendedProperties' | 'multiValueExtendedProperties'>,
  _before: Extras = {},
): Extras => ({});
