import { knownOrigin } from '../../../kernel/auth/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { workspaceOfHost } from '../access/place.ts';
import { route } from '../jar.ts';
import { workspaceById } from '../oidc/place.ts';

/** The first request of current clients, sent without a credential. */
export const DISCOVERY_OPERATIONS: readonly Route[] = [
  route({
    method: 'GET',
    path: '/.well-known/databricks-config',
    operation: 'Platform_discovery_config',
    summary: 'Find the token endpoint, account and workspace of a host',
    open: true,
    async handle(call) {
      const id = workspaceOfHost(call.origin);
      const workspace = id === undefined ? undefined : await workspaceById(call, id);
      // If the host selects no workspace, the answer names none: clients send the named workspace with every later call.
      return ok({
        oidc_endpoint: `${knownOrigin(call)}/oidc`,
        ...(workspace && { account_id: workspace.accountId, workspace_id: workspace.id }),
        cloud: 'AZURE',
      });
    },
  }),
];
