import { type AnyRouteCode, type FamilyShape, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import type { Access } from './access/access.ts';
import type { App } from './collections.ts';
import type { AppStanding, OrgRole } from './roles.ts';

/** The service behind the gateway to which an operation belongs; determines the error format. */
export type Area =
  | 'accounts'
  | 'analytics'
  | 'diagnostics'
  | 'crashes'
  | 'symbols'
  | 'symbolGroups'
  | 'exports'
  | 'logs';

/** The requirements of an operation. */
export type Needs = {
  /** Allows read-only tokens: only for crash data, analytics data and basic information about apps. */
  readonly readOnlyTokens: boolean;
  /** A user named by this part of the URL may perform the operation on themselves, whatever their role. */
  readonly orSelf?: 'user_email' | 'user_name';
} & (
  | { readonly of: 'account' }
  | { readonly of: 'app'; readonly role: AppStanding }
  | { readonly of: 'org'; readonly role: OrgRole }
);

/** Requirements by name; each operation names one of them. */
export const NEEDS = {
  /** The caller's own account. App tokens have no account. */
  accountRead: { of: 'account', readOnlyTokens: true },
  account: { of: 'account', readOnlyTokens: false },
  /** Crash data, analytics data and basic information. */
  appRead: { of: 'app', role: 'viewer', readOnlyTokens: true },
  /** Visible to every collaborator, but not with read-only tokens. */
  appSee: { of: 'app', role: 'viewer', readOnlyTokens: false },
  appDevelop: { of: 'app', role: 'developer', readOnlyTokens: false },
  appManage: { of: 'app', role: 'manager', readOnlyTokens: false },
  appManageOrSelf: { of: 'app', role: 'manager', readOnlyTokens: false, orSelf: 'user_email' },
  appAdminister: { of: 'app', role: 'administrator', readOnlyTokens: false },
  /** Basic information about the apps of an organization. */
  orgRead: { of: 'org', role: 'member', readOnlyTokens: true },
  orgSee: { of: 'org', role: 'member', readOnlyTokens: false },
  orgContribute: { of: 'org', role: 'collaborator', readOnlyTokens: false },
  orgAdminister: { of: 'org', role: 'admin', readOnlyTokens: false },
  orgAdministerOrSelf: { of: 'org', role: 'admin', readOnlyTokens: false, orSelf: 'user_name' },
} as const satisfies Record<string, Needs>;

export type NeedName = keyof typeof NEEDS;

/** One row of the table of operations. */
export interface Operation {
  readonly method: Method;
  /** Path after `/v0.1`. */
  readonly path: string;
  /** For example `apps_get`. */
  readonly operation: string;
  readonly summary: string;
  readonly needs: NeedName;
  readonly accepts?: 'bytes' | 'stream';
  /** Remains after the retirement of the service, although it belongs to neither analytics nor diagnostics. */
  readonly survivesRetirement?: true;
  readonly code: AnyRouteCode;
}

const VERSION = '/v0.1';

/** Areas that are retired later than the rest. Operations needed to reach them have `survivesRetirement`. */
const OUTLIVING: ReadonlySet<Area> = new Set([
  'analytics',
  'diagnostics',
  'crashes',
  'symbols',
  'symbolGroups',
  'exports',
  'logs',
]);

/** Routes of one area, from the rows of its table. */
export const operationRoutes = (area: Area, rows: readonly Operation[]): readonly Route[] =>
  rows.map(({ method, path, operation, summary, needs, accepts, survivesRetirement, code }) => {
    const traits = { area, needs, survivesRetirement: survivesRetirement ?? OUTLIVING.has(area) };
    return routeOf(
      {
        method,
        path: VERSION + path,
        operation: `Lifecycle_${operation}`,
        summary,
        traits,
        ...(accepts && { accepts }),
      },
      code,
    );
  });

/** Facts are set once the caller is known: `access` for users, `sender` for apps that send logs. */
export interface LifecycleShape extends FamilyShape {
  readonly facts: { access?: Access; sender?: App };
  readonly traits: Partial<OperationTraits>;
}

/** Traits that `operationRoutes` attaches to a route. */
export interface OperationTraits {
  readonly area: Area;
  readonly needs: NeedName;
  readonly survivesRetirement: boolean;
}

export const traitsOf = ({ traits }: Pick<Route<LifecycleShape>, 'traits'>): Partial<OperationTraits> => traits ?? {};
