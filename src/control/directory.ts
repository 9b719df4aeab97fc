import type { Route } from '../kernel/http/index.ts';
import { applicationRoutes } from './applications.ts';
import { userRoutes } from './users.ts';

/** Applications and users that are registered while the jar runs. Secrets are write-only. */
export const directoryRoutes: readonly Route[] = [...applicationRoutes, ...userRoutes];
