import type { Route } from '../../../kernel/http/route.ts';

export const traceControl: readonly Route[] = [];
