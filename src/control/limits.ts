import type { Route } from '../kernel/http/route.ts';

export const limitRoutes: readonly Route[] = [];
