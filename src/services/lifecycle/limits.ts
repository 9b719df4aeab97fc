import type { Limit, QuotaLimit, WindowLimit } from '../../kernel/limits/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time/index.ts';

/** User tokens and app tokens together, per creator. */
export const TOKENS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.tokens',
  title: 'API tokens created by an account',
  limit: 5000,
  unit: 'tokens',
  scope: ['account'],
  fixed: true,
};

export const APPS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.apps',
  title: 'Apps of a user or an organization',
  limit: 2000,
  unit: 'apps',
  scope: ['owner'],
};

export const ORG_MEMBERS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.org-members',
  title: 'Members of an organization',
  limit: 5000,
  unit: 'members',
  scope: ['organization'],
};

export const TEAM_MEMBERS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.team-members',
  title: 'Members of a team',
  limit: 2000,
  unit: 'members',
  scope: ['team'],
};

export const APP_TEAMS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.app-teams',
  title: 'Teams of an app',
  limit: 100,
  unit: 'teams',
  scope: ['app'],
};

/** Groups shared by several apps of an organization do not count. */
export const DISTRIBUTION_GROUPS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.distribution-groups',
  title: 'Distribution groups of an app',
  limit: 100,
  unit: 'groups',
  scope: ['app'],
};

export const TESTERS: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.testers',
  title: 'Members of a distribution group',
  limit: 30_000,
  unit: 'members',
  scope: ['group'],
};

/** Unknown tokens per source address. Beyond the limit, unknown tokens from that address get 429; valid ones are still accepted. */
export const WRONG_TOKENS: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  name: 'lifecycle.wrong-tokens',
  title: 'Attempts with unknown API tokens per source address in five minutes',
  limit: 100,
  windowMs: 5 * MINUTE_MS,
  unit: 'attempts',
  scope: ['source'],
};

/** The real service has this limit and the next two; a jar enforces them only if configured. */
export const REQUESTS: WindowLimit = {
  kind: 'window',
  window: 'sliding',
  name: 'lifecycle.requests',
  title: 'Requests per source address in five minutes',
  limit: 500,
  windowMs: 5 * MINUTE_MS,
  scope: ['source'],
  mode: 'unlimited',
};

const appCreation = { kind: 'window', window: 'sliding', unit: 'apps', scope: ['owner'], mode: 'unlimited' } as const;

export const APPS_PER_HOUR: WindowLimit = {
  ...appCreation,
  name: 'lifecycle.apps-per-hour',
  title: 'Apps created for a user or an organization per hour',
  limit: 10,
  windowMs: HOUR_MS,
};

export const APPS_PER_DAY: WindowLimit = {
  ...appCreation,
  name: 'lifecycle.apps-per-day',
  title: 'Apps created for a user or an organization per day',
  limit: 20,
  windowMs: 24 * HOUR_MS,
};

const reports = { kind: 'window', window: 'sliding', windowMs: MINUTE_MS, limit: 60, scope: ['app'] } as const;

/** Reports over these limits are not stored; the response names them. */
export const CRASHES_PER_MINUTE: WindowLimit = {
  ...reports,
  name: 'lifecycle.crashes-per-minute',
  title: 'Crashes accepted from an app per minute',
  unit: 'crashes',
};

export const ERRORS_PER_MINUTE: WindowLimit = {
  ...reports,
  name: 'lifecycle.errors-per-minute',
  title: 'Handled errors accepted from an app per minute',
  unit: 'errors',
};

/** Events with further names are not counted. */
export const EVENT_NAMES: QuotaLimit = {
  kind: 'quota',
  name: 'lifecycle.event-names',
  title: 'Event names of an app',
  limit: 200,
  unit: 'names',
  scope: ['app'],
};

export const LIFECYCLE_LIMITS: readonly Limit[] = [
  TOKENS,
  APPS,
  ORG_MEMBERS,
  TEAM_MEMBERS,
  APP_TEAMS,
  DISTRIBUTION_GROUPS,
  TESTERS,
  WRONG_TOKENS,
  REQUESTS,
  APPS_PER_HOUR,
  APPS_PER_DAY,
  CRASHES_PER_MINUTE,
  ERRORS_PER_MINUTE,
  EVENT_NAMES,
];
