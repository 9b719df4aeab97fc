import { type AnyRouteCode, type FamilyShape, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import type { BucketLimit } from '../../kernel/limits/index.ts';
import { scopesFor } from './access/scopes.ts';
import type { Standing } from './access/standing.ts';
import type { Account, Workspace } from './accounts/collections.ts';
import { ratesOf } from './limits/declared.ts';

export interface PlatformShape extends FamilyShape {
  /** There once the caller is known. `workspace` is absent in calls of an account. */
  readonly facts: {
    account?: Account;
    workspace?: Workspace;
    standing?: Standing;
    token?: string;
    /** What the credential is limited to; absent: all that the caller may do. */
    scopes?: readonly string[];
  };
  readonly traits: Partial<OperationTraits>;
}

export interface OperationTraits {
  readonly scope: 'workspace' | 'account';
  readonly needs: Need;
  readonly rates: readonly BucketLimit[];
  /** Tokens that are limited to scopes need one of these; absent: every token may call it. */
  readonly scopes?: readonly string[];
  /** How its errors look: as everywhere, as SCIM has them, as version 1.2 has them, as OAuth has them, or as the open sharing protocol has them. */
  readonly errors: 'plain' | 'scim' | 'old' | 'oauth' | 'sharing';
}

/** Who may call an operation at all. What somebody may do with one object is decided by its permissions. */
export type Need =
  /** Everybody in the workspace; in an account, everybody of the account. */
  | 'user'
  /** Administrators of the workspace. */
  | 'admin'
  | 'accountAdmin';

/** One row of a table of operations. */
export interface Operation {
  readonly method: Method;
  /** Behind `/api/2.0`. Paths of an account begin with `/accounts/{account_id}`. */
  readonly path: string;
  /** `2.0` alone unless given. */
  readonly versions?: readonly string[];
  /** `jobs_create`. */
  readonly operation: string;
  readonly summary: string;
  /** `user` unless given; in an account `accountAdmin`. */
  readonly needs?: Need;
  /** What it is in the rate table, which has bare paths (`/jobs/create`); its own path unless given. */
  readonly rated?: string;
  /** Further paths outside `/api` at which it is found: those of the rate table. */
  readonly bare?: readonly string[];
  readonly accepts?: 'bytes' | 'stream' | 'form';
  readonly bodyLimitBytes?: number;
  readonly produces?: string;
  readonly errors?: OperationTraits['errors'];
  /** Without a credential. */
  readonly open?: true;
  readonly code: AnyRouteCode;
}

/** Paths that are about an account and not about one of its workspaces. */
const OF_ACCOUNT = /^(?:\/preview)?\/accounts\/\{account_id\}/;

/** The routes of a table of operations. Which limits a route takes from is worked out here, once. */
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
  const { accepts, bodyLimitBytes, produces, open } = row;
  const rest = {
    ...(accepts && { accepts }),
    ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    ...(produces !== undefined && { produces }),
    ...(open && { open }),
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
