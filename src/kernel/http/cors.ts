import type { Call } from './route.ts';

/**
 * The APIs that take bearer tokens may be called by pages of any origin, as the real ones may: a page can only use a token that
 * it was given. Nothing here is ever allowed together with cookies.
 */
export function corsHeaders(call: Pick<Call, 'headers'>, exposed: readonly string[]): Record<string, string> {
  if (call.headers.origin === undefined) return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed.filter((name) => !name.startsWith('access-control-')).join(','),
  };
}

export function preflightHeaders(call: Pick<Call, 'headers'>): Record<string, string> | undefined {
  const method = call.headers['access-control-request-method'];
  if (call.headers.origin === undefined || typeof method !== 'string') return undefined;
  const headers = call.headers['access-control-request-headers'];
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
    'access-control-allow-headers': typeof headers === 'string' ? headers : '*',
    'access-control-max-age': '3600',
  };
}
