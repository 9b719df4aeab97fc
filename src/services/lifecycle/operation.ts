import { type AnyRouteCode, type FamilyShape, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import type { Access } from './access/access.ts';
import type { App } from './collections.ts';
import type { AppStanding, OrgRole } from './roles.ts';

/** Which service behind the gateway an operation belongs to; their errors are wrapped differently. */
export type Area =
  | 'accounts'
  | 'analytics'
  | 'diagnostics'
  | 'crashes'
  | 'symbols'
  | 'symbolGroups'
  | 'exports'
  | 'logs';

/** Who may call an operation. */
export type Needs = {
  /** Tokens that are only for reading will do: crash data, analytics data and basic information about apps, and nothing else. */
  readonly readOnlyTokens: boolean;
  /** Whoever is named by this part of the address may do it to himself, whatever his role. */
  readonly orSelf?: 'user_email' | 'user_name';
} & (
  | { readonly of: 'account' }
  | { readonly of: 'app'; readonly role: AppStanding }
  | { readonly of: 'org'; readonly role: OrgRole }
);

/** The kinds of needs that there are. An operation names one of them. */
export const NEEDS = {
  /** One's own account. Tokens of apps are nobody's account. */
  accountRead: { of: 'account', readOnlyTokens: true },
  account: { of: 'account', readOnlyTokens: false },
  /** Crash data, analytics data, basic information. */
  appRead: { of: 'app', role: 'viewer', readOnlyTokens: true },
  /** What every collaborator may see, and tokens for reading may not. */
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
  /** Behind `/v0.1`. */
  readonly path: string;
  /** `apps_get`. */
  readonly operation: string;
  readonly summary: string;
  readonly needs: NeedName;
  readonly accepts?: 'bytes' | 'stream';
  /** Goes on after the rest of the service was retired, though it is neither analytics nor diagnostics. */
  readonly livesOn?: true;
  readonly code: AnyRouteCode;
}

const VERSION = '/v0.1';

/** Analytics and diagnostics outlive the rest, and so does what one needs to get at them. */
const OUTLIVING: ReadonlySet<Area> = new Set([
  'analytics',
  'diagnostics',
  'crashes',
  'symbols',
  'symbolGroups',
  'exports',
  'logs',
]);

/** The routes of one area out of the rows of its table. */
export const operationRoutes = (area: Area, rows: readonly Operation[]): readonly Route[] =>
  rows.map(({ method, path, operation, summary, needs, accepts, livesOn, code }) => {
    const traits = { area, needs, livesOn: livesOn ?? OUTLIVING.has(area) };
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

/** Facts are there once the caller is known: `access` of people, `sender` of apps that send logs. */
export interface LifecycleShape extends FamilyShape {
  readonly facts: { access?: Access; sender?: App };
  readonly traits: Partial<OperationTraits>;
}

/** What `operationRoutes` left with a route. */
export interface OperationTraits {
  readonly area: Area;
  readonly needs: NeedName;
  readonly livesOn: boolean;
}

export const traitsOf = ({ traits }: Pick<Route<LifecycleShape>, 'traits'>): Partial<OperationTraits> => traits ?? {};
