import { collection } from '../../../../kernel/store/index.ts';

/** A tag on a securable or on a column of a table. The key begins with the id of the securable: a rename touches no tags. */
export interface EntityTag {
  readonly securable: string;
  /** Lower case; absent where the securable itself has it. */
  readonly column?: string;
  readonly key: string;
  readonly value: string;
}

export const entityKey = (securable: string, column?: string): string =>
  // A name may have any character, also those that keys are put together with.
  column === undefined ? `${securable}/` : `${securable}/column:${Buffer.from(column).toString('base64url')}/`;

export const tagPrefix = (securable: string, column?: string): string => `${entityKey(securable, column)}tag:`;

export const entityTags = collection<EntityTag>('platform.entity_tags');
