import { Type } from 'typebox';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import { errors } from '../errors.ts';
import { subjectExports, subjectRequests } from './collections.ts';
import { StatusView, statusView } from './shape.ts';
import { emailHashOf, isSignature } from './signature.ts';

/** Told to whoever has the receipt and knows the address, even when the account is gone. */
export const getDeletionStatus = routeCode(['token'], {
  query: Type.Object({ email: Type.String() }),
  responses: { 200: StatusView },
  async handle(call) {
    const { token } = call.params;
    const found = (await call.jar.store.get(subjectRequests, token))?.value;
    if (found?.kind !== 'delete' || found.emailHash !== emailHashOf(token, call.query.email)) {
      throw errors.NotFound({ reason: `There is no delete request '${token.slice(0, 100)}' of this address.` });
    }
    return ok(statusView(call, found));
  },
});

export const getExport = routeCode(['token'], {
  query: Type.Object({ sig: Type.String() }),
  responses: { 200: Type.Unknown() },
  async handle({ jar, params: { token }, query }) {
    if (!isSignature(jar.vault, token, query.sig)) throw errors.Forbidden({ reason: 'The signature does not match.' });
    const request = (await jar.store.get(subjectRequests, token))?.value;
    if (request?.expiresAt === undefined || jar.clock.now() >= Date.parse(request.expiresAt)) {
      throw errors.Forbidden({ reason: 'The address has expired.' });
    }
    const stored = await jar.store.get(subjectExports, token);
    if (!stored) throw errors.NotFound({ reason: 'The export is gone.' });
    return ok(stored.value.data, { 'cache-control': 'no-store' });
  },
});
