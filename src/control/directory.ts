import type { Route } from '../kernel/http/index.ts';
import { applicationRoutes } from './applications.ts';
import { userRoutes } from './users.ts';

/** Applications and users of one's own, registered while the jar runs. Secrets go in and are never given back. */
export const directoryRoutes: readonly Route[] = [...applicationRoutes, ...userRoutes];
