import type { Route } from '../kernel/http/route.ts';
import type { Collection } from '../kernel/store/types.ts';

export const inboxRoutes: readonly Route[] = [];

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const inboxCollections: readonly Collection<any>[] = [];
