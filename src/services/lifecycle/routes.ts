import type { Route } from '../../kernel/http/route.ts';
import { operationRoutes } from './operation.ts';
import { TOKEN_OPERATIONS } from './tokens/operations.ts';

/** Every operation of the API. Who may call which is in the rows of its area. */
export const lifecycleRoutes: readonly Route[] = [...operationRoutes('accounts', TOKEN_OPERATIONS)];
