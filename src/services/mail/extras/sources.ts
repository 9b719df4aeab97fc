import type { ItemKind } from '../attachments/types.ts';
import { EVENT_ITEMS } from './event-item.ts';
import type { ItemSource } from './item.ts';
import { MESSAGE_ITEMS } from './message-item.ts';

const SOURCES: Readonly<Record<ItemKind, ItemSource>> = { message: MESSAGE_ITEMS, event: EVENT_ITEMS };

export const itemSource = (kind: ItemKind): ItemSource => SOURCES[kind];
