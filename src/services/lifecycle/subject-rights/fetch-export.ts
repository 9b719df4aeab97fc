import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { subjectExports, subjectRequests } from './collections.ts';
import { isSignature } from './signature.ts';

export const getExport = routeCode(['token'], {
  query: Type.Object({ sig: Type.String() }),
  responses: { 200: Type.Unknown() },
  async handle({ jar, params: { token }, query }) {
    if (!isSignature(jar.vault, token, query.sig)) throw errors.Forbidden({ reason: 'The signature does not match.' });
    const request = (await jar.store.get(subjectRequests, token))?.value;
    if (request?.expiresAt === undefined || jar.clock.now() >= Date.parse(request.expiresAt)) {
      throw errors.Forbidden({ reason: 'The URL has expired.' });
    }
    const stored = await jar.store.get(subjectExports, token);
    if (!stored) throw errors.NotFound({ reason: 'The export no longer exists.' });
    return ok(stored.value.data, { 'cache-control': 'no-store' });
  },
});
