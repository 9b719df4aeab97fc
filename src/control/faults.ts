import type { Route } from '../kernel/http/route.ts';

export const faultRoutes: readonly Route[] = [];
