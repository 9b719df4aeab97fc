import { collection } from '../../../../kernel/store/index.ts';

/** A tag on a securable or on a column of a table. The key starts with the id of the securable, so that renames do not affect tags. */
export interface EntityTag {
  readonly securable: string;
  /** Lower case; absent if the tag is on the securable itself. */
  readonly column?: string;
  readonly key: string;
  readonly value: string;
}

export const entityKey = (securable: string, column?: string): string =>
  // Encoded, since a column name may contain any character, including the separators of keys.
  column === undefined ? `${securable}/` : `${securable}/column:${Buffer.from(column).toString('base64url')}/`;

export const tagPrefix = (securable: string, column?: string): string => `${entityKey(securable, column)}tag:`;

export const entityTags = collection<EntityTag>('platform.entity_tags');
