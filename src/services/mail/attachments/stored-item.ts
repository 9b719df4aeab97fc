import type { ItemContent } from './types.ts';

/** Parses the item that `addAttachments` stored as JSON. */
export const storedItem = (bytes: Buffer): ItemContent => JSON.parse(bytes.toString()) as ItemContent;
