import type { Route } from '../../../kernel/http/route.ts';

export const subscriptionRoutes: readonly Route[] = [];
