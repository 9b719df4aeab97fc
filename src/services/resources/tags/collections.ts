import { collection } from '../../../kernel/store/index.ts';

/** A tag name that a subscription has defined, with its predefined values. The key is the subscription and the name, in lower case. */
export interface TagName {
  readonly subscriptionId: string;
  readonly tagName: string;
  readonly values: readonly string[];
}

export const tagNames = collection<TagName>('resources.tag_names');

export const tagNameKey = (subscriptionId: string, name: string): string => `${subscriptionId}/${name}`.toLowerCase();
