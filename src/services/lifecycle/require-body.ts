import type { Call } from '../../kernel/service/index.ts';
import { gateway } from './errors.ts';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export const takesBody = (method: string): boolean => WITH_BODY.has(method);

/** A step of the family: a body is required where the method has one, even if it has nothing to say. A length of 0 is no body. */
export function requireBody({ method, headers }: Call): void {
  if (!takesBody(method)) return;
  const length = headers['content-length'];
  const hasBody = length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > 0;
  if (!hasBody) throw gateway.noBody();
}
