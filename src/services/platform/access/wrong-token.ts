import { countWrongCredential, retryHeaders } from '../../../kernel/limits/index.ts';
import { type GatewayError, gateway } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { WRONG_TOKENS } from '../limits/wrong-credentials.ts';

/** The error for an unknown token. An address that sends many of them is rate-limited; valid tokens are not affected. */
export async function invalidTokenError(call: PlatformCall): Promise<GatewayError> {
  const { jar, remoteAddress } = call;
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits: [WRONG_TOKENS] });
  if (!tooMany) return gateway.invalidTokenError(call);
  const error = gateway.tooManyWrong(call, tooMany.source);
  Object.assign(error.headers, retryHeaders(tooMany));
  return error;
}
