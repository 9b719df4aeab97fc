import type { ItemContent } from './types.ts';

/** The item that `addAttachments` wrote as JSON. */
export const storedItem = (bytes: Buffer): ItemContent => JSON.parse(bytes.toString()) as ItemContent;
