import type { Route } from '../kernel/http/index.ts';
import { applicationRoutes } from './applications.ts';
import { signInRoute } from './sign-ins.ts';
import { tenantRoute } from './tenants.ts';
import { userRoutes } from './users.ts';

/** Tenants; applications and users that are registered while the jar runs, and their sign-ins. Secrets are write-only. */
export const directoryRoutes: readonly Route[] = [...applicationRoutes, ...userRoutes, signInRoute, tenantRoute];
