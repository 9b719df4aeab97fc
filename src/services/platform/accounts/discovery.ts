import { ok, type Route } from '../../../kernel/http/index.ts';
import { workspaceOfHost } from '../access/place.ts';
import { route } from '../jar.ts';
import { workspaces } from './collections.ts';

/** What current clients ask for before anything else, without a credential. */
export const DISCOVERY_OPERATIONS: readonly Route[] = [
  route({
    method: 'GET',
    path: '/.well-known/databricks-config',
    operation: 'Platform_discovery_config',
    summary: 'Where tokens are asked for, and which account and workspace a host stands for',
    open: true,
    async handle({ jar, origin }) {
      const id = workspaceOfHost(origin);
      const workspace = id === undefined ? undefined : (await jar.store.cached(workspaces, id))?.value;
      // A host that stands for no workspace names none: clients would send what it names with every call.
      return ok({
        oidc_endpoint: `${origin}/oidc`,
        ...(workspace && { account_id: workspace.accountId, workspace_id: workspace.id }),
        cloud: 'AZURE',
      });
    },
  }),
];
