import type { Route } from '../../../kernel/http/route.ts';

export const queueControl: readonly Route[] = [];
