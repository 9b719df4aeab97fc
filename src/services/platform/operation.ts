import { type AnyRouteCode, type FamilyShape, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import type { BucketLimit } from '../../kernel/limits/index.ts';
import { scopesFor } from './access/scopes.ts';
import type { CallerIdentity } from './access/standing.ts';
import type { Account, Workspace } from './accounts/collections.ts';
import { ratesOf } from './limits/declared.ts';

export interface PlatformShape extends FamilyShape {
  /** Set once the caller is authenticated. `workspace` is absent in calls of an account. */
  readonly facts: {
    account?: Account;
    workspace?: Workspace;
    standing?: CallerIdentity;
    token?: string;
    /** The scopes that the credential is limited to. Absent: no limit. */
    scopes?: readonly string[];
  };
  readonly traits: Partial<OperationTraits>;
}

export interface OperationTraits {
  readonly scope: 'workspace' | 'account';
  readonly needs: Need;
  readonly rates: readonly BucketLimit[];
  /** A token that is limited to scopes needs one of these. Absent: every token may call it. */
  readonly scopes?: readonly string[];
  /** Format of its errors: the usual one, SCIM, version 1.2, OAuth, or the open sharing protocol. */
  readonly errors: 'plain' | 'scim' | 'old' | 'oauth' | 'sharing';
}

/** Callers that may use an operation at all. Permissions on objects are checked separately. */
export type Need =
  /** All members of the workspace; in calls of an account, all members of the account. */
  | 'user'
  /** Administrators of the workspace. */
  | 'admin'
  | 'accountAdmin';

/** One row of a table of operations. */
export interface Operation {
  readonly method: Method;
  /** Relative to `/api/2.0`. Paths of an account start with `/accounts/{account_id}`. */
  readonly path: string;
  /** Default: only `2.0`. */
  readonly versions?: readonly string[];
  /** For example `jobs_create`. */
  readonly operation: string;
  readonly summary: string;
  /** Default: `user`, for calls of an account `accountAdmin`. */
  readonly needs?: Need;
  /** Its path in the rate table, which has bare paths (`/jobs/create`). Default: its own path. */
  readonly rated?: string;
  /** Additional paths outside `/api` that serve it: the paths in the rate table. */
  readonly bare?: readonly string[];
  readonly accepts?: 'bytes' | 'stream' | 'form';
  readonly bodyLimitBytes?: number;
  readonly produces?: string;
  readonly errors?: OperationTraits['errors'];
  /** No credential needed. */
  readonly open?: true;
  /** Its bodies contain secrets that no name reveals. */
  readonly secretBodies?: true;
  /** A POST that changes nothing. */
  readonly safe?: true;
  readonly code: AnyRouteCode;
}

/** Paths that concern an account rather than one of its workspaces. */
const OF_ACCOUNT = /^(?:\/preview)?\/accounts\/\{account_id\}/;

/** The routes of a table of operations. The rate limits of each route are determined here, once. */
export const operationRoutes = (rows: readonly Operation[]): readonly Route[] => rows.flatMap(routesOf);

function routesOf(row: Operation): Route[] {
  const { method, path, versions = ['2.0'], operation, summary, bare = [], code } = row;
  const scope = OF_ACCOUNT.test(path) ? 'account' : 'workspace';
  const scopes = scopesFor(path);
  const traits: OperationTraits = {
    scope,
    needs: row.needs ?? (scope === 'account' ? 'accountAdmin' : 'user'),
    rates: row.open ? [] : ratesOf(method, row.rated ?? path),
    errors: row.errors ?? 'plain',
    ...(scopes && { scopes }),
  };
  const { accepts, bodyLimitBytes, produces, open, secretBodies, safe } = row;
  const rest = {
    ...(accepts && { accepts }),
    ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    ...(produces !== undefined && { produces }),
    ...(open && { open }),
    ...(secretBodies && { secretBodies }),
    ...(safe && { safe }),
  };
  const measuredAs = `Platform_${operation}`;
  const at = (full: string, name: string): Route =>
    routeOf({ method, path: full, operation: `Platform_${name}`, measuredAs, summary, traits, ...rest }, code);
  return [
    ...versions.map((version, index) =>
      at(`/api/${version}${path}`, index === 0 ? operation : `${operation}_${version.replace('.', '_')}`),
    ),
    ...bare.map((full, index) => at(full, `${operation}_bare${index === 0 ? '' : index + 1}`)),
  ];
}
