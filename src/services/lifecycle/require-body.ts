import type { Call } from '../../kernel/service/index.ts';
import { type GatewayError, gateway } from './errors.ts';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export const takesBody = (method: string): boolean => WITH_BODY.has(method);

/** Family step: methods with a body require one, even if it is empty JSON. A length of 0 counts as no body. */
export function requireBody(call: Pick<Call, 'method' | 'headers'>): void {
  if (lacksBody(call)) throw gateway.noBody();
}

/** The missing body is reported first, even for an unknown URL or a wrong method. */
export const unmatched = (call: Pick<Call, 'method' | 'headers'>): GatewayError | undefined =>
  lacksBody(call) ? gateway.noBody() : undefined;

function lacksBody({ method, headers }: Pick<Call, 'method' | 'headers'>): boolean {
  if (!takesBody(method)) return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] === undefined : !(Number(length) > 0);
}
