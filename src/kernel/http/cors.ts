import type { Call } from './route.ts';

/**
 * APIs with bearer tokens may be called by pages of any origin, as in the real services: a page can only use a token that it was given.
 * Cookies are never allowed.
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
