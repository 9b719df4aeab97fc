import type { ResourceRow } from './resource-rows.ts';

/**
 * Limits that the real service is known to have but the spec's table does not contain. They are declared, counted and refused like its
 * rows.
 */

const KB = 1024;

function row<const Id extends string>(
  id: Id,
  resource: string,
  metric: string,
  limit: number,
  place: Pick<ResourceRow, 'scope' | 'parts'>,
  rest: Partial<Pick<ResourceRow, 'measure' | 'unit'>> = {},
): ResourceRow & { readonly id: Id } {
  const { measure = 'count', unit = metric.toLowerCase() } = rest;
  return { id, resource, metric, limit, unit, ...place, fixed: true, region: 'All', measure };
}

const USER = { scope: 'User', parts: ['workspace', 'principal'] } as const;
const SERVICE_PRINCIPAL = { scope: 'Service principal', parts: ['account', 'principal'] } as const;
const RECIPIENT = { scope: 'Recipient', parts: ['metastore', 'recipient'] } as const;
const DASHBOARD = { scope: 'Dashboard', parts: ['workspace', 'dashboard'] } as const;
const SCHEDULE = { scope: 'Schedule', parts: ['workspace', 'schedule'] } as const;
const WORKSPACE = { scope: 'Workspace', parts: ['workspace'] } as const;
const SECRET_SCOPE = { scope: 'Secret scope', parts: ['workspace', 'secretScope'] } as const;

export const OWN_ROWS = [
  row('user-tokens', 'Personal access tokens', 'Tokens', 600, USER),
  row('principal-secrets', 'OAuth', 'Secrets of a service principal', 5, SERVICE_PRINCIPAL, { unit: 'secrets' }),
  row('federation-policies', 'OAuth', 'Federation policies', 20, SERVICE_PRINCIPAL, { unit: 'policies' }),
  row('recipient-policies', 'Data sharing', 'Federation policies of a recipient', 20, RECIPIENT, { unit: 'policies' }),
  row('scope-secrets', 'Secrets', 'Secrets', 1000, SECRET_SCOPE),
  row('scope-acls', 'Secrets', 'Entries of an access control list', 1000, SECRET_SCOPE, {
    measure: 'bound',
    unit: 'entries',
  }),
  row('secret-size', 'Secrets', 'Value size', 128 * KB, SECRET_SCOPE, { measure: 'bound', unit: 'bytes' }),
  row('dashboard-schedules', 'Dashboards', 'Schedules', 10, DASHBOARD),
  row('schedule-subscriptions', 'Dashboards', 'Subscriptions to a schedule', 100, SCHEDULE, { unit: 'subscriptions' }),
  row('serving-endpoints', 'Model serving', 'Endpoints', 1000, WORKSPACE),
  row('registry-webhooks', 'Model registry', 'Webhooks', 200, WORKSPACE),
] as const satisfies readonly ResourceRow[];

export type OwnRowId = (typeof OWN_ROWS)[number]['id'];
