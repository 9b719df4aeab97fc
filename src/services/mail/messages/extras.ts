import { newExtensions } from '../extras/extensions.ts';
import { mergeMulti, mergeSingle } from '../extras/properties.ts';
import type { MessageInput } from './input.ts';
import type { Extras } from './types.ts';

type Given = Pick<MessageInput, 'extensions' | 'singleValueExtendedProperties' | 'multiValueExtendedProperties'>;

/** Extensions and extended properties that come with a message or event; of one that is there, extended properties may be added and removed. */
export function extrasOf(
  { extensions, singleValueExtendedProperties, multiValueExtendedProperties }: Given,
  before: Extras = {},
): Extras {
  return {
    ...(extensions && extensions.length > 0 && { extensions: newExtensions(extensions, 'extensions') }),
    ...(singleValueExtendedProperties && {
      single: mergeSingle(before.single, singleValueExtendedProperties, 'singleValueExtendedProperties'),
    }),
    ...(multiValueExtendedProperties && {
      multi: mergeMulti(before.multi, multiValueExtendedProperties, 'multiValueExtendedProperties'),
    }),
  };
}
