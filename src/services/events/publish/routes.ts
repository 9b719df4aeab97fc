import type { Route } from '../../../kernel/http/route.ts';

export const publishRoutes: readonly Route[] = [];
