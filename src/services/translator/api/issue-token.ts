import { ok } from '../../../kernel/http/index.ts';
import { routeCode } from '../jar.ts';
import { accountOf, keyIdOf } from '../keys/authenticate.ts';
import { issueToken } from '../keys/tokens.ts';

export const giveToken = routeCode([], {
  responses: { 200: 'The token' },
  async handle(call) {
    const token = await issueToken(call.jar, keyIdOf(call), accountOf(call));
    return ok(token, { 'content-type': 'text/plain; charset=us-ascii' });
  },
});
