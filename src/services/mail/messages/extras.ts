import { mergeExtensions } from '../extras/extensions.ts';
import { mergeMulti, mergeSingle } from '../extras/properties.ts';
import type { MessageInput } from './input.ts';
import type { Extras } from './types.ts';

type Given = Pick<MessageInput, 'extensions' | 'singleValueExtendedProperties' | 'multiValueExtendedProperties'>;

/** Extensions and extended properties that are sent with a message or event. Existing ones stay unless the request names them. */
export function extrasOf(
  { extensions, singleValueExtendedProperties, multiValueExtendedProperties }: Given,
  before: Extras = {},
): Extras {
  return {
    ...(extensions &&
      extensions.length > 0 && {
        extensions: mergeExtensions(before.extensions, extensions, 'extensions'),
      }),
    ...(singleValueExtendedProperties && {
      single: mergeSingle(before.single, singleValueExtendedProperties, 'singleValueExtendedProperties'),
    }),
    ...(multiValueExtendedProperties && {
      multi: mergeMulti(before.multi, multiValueExtendedProperties, 'multiValueExtendedProperties'),
    }),
  };
}
