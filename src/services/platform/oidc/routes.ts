import type { Route } from '../../../kernel/http/index.ts';
import { AUTHORIZE_ROUTES } from './authorize.ts';
import { METADATA_ROUTES } from './metadata.ts';
import { TOKEN_ROUTES } from './token-endpoint.ts';

/** All routes below `/oidc`, and the redirects to the directory. They need no credential. */
export const OIDC_ROUTES: readonly Route[] = [...AUTHORIZE_ROUTES, ...METADATA_ROUTES, ...TOKEN_ROUTES];
