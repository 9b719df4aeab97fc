import type { Call } from '../../kernel/service/index.ts';
import { type GatewayError, gateway } from './errors.ts';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export const takesBody = (method: string): boolean => WITH_BODY.has(method);

/** A step of the family: a body is required where the method has one, even if it has nothing to say. A length of 0 is no body. */
export function requireBody(call: Pick<Call, 'method' | 'headers'>): void {
  if (lacksBody(call)) throw gateway.noBody();
}

/** So does an address that nothing is served at, or takes another method: the missing body is found first. */
export const unmatched = (call: Pick<Call, 'method' | 'headers'>): GatewayError | undefined =>
  lacksBody(call) ? gateway.noBody() : undefined;

function lacksBody({ method, headers }: Pick<Call, 'method' | 'headers'>): boolean {
  if (!takesBody(method)) return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] === undefined : !(Number(length) > 0);
}
