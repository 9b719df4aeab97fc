import type { Route } from '../kernel/http/route.ts';

export const deliveryRoutes: readonly Route[] = [];
