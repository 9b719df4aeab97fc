import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { fileAddress } from '../diagnostics/links.ts';
import { Location } from '../diagnostics/schemas.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type AppSymbol, symbolKey, symbols } from './collections.ts';
import { findSymbol, noSymbol } from './find.ts';
import { isNeeded } from './missing.ts';
import { SymbolView, symbolView } from './shape.ts';

const MOST_LISTED = 10_000;

export const listSymbols = routeCode([], {
  responses: { 200: Type.Array(SymbolView) },
  async handle(call) {
    const filter = eq('appId', appOf(call).id);
    const order = [{ field: 'createdAt', descending: true }];
    const { items } = await call.jar.store.query(symbols, { filter, order, limit: MOST_LISTED });
    return ok(items.map(({ value }) => symbolView(value)));
  },
});

export const getSymbol = routeCode(['symbol_id'], {
  responses: { 200: SymbolView },
  handle: async (call) => ok(symbolView(await findSymbol(call, call.params.symbol_id))),
});

export const getSymbolStatus = routeCode(['symbol_id'], {
  responses: {
    200: Type.Object({ symbol_id: Type.String(), app_id: Type.String(), status: Type.Enum(['available', 'ignored']) }),
  },
  async handle(call) {
    const { id, appId, status } = await findSymbol(call, call.params.symbol_id);
    return ok({ symbol_id: id, app_id: appId, status });
  },
});

export const getSymbolLocation = routeCode(['symbol_id'], {
  responses: { 200: Location },
  async handle(call) {
    const { id, appId, uploadId } = await findSymbol(call, call.params.symbol_id);
    if (uploadId === '') throw errors.NotFound({ reason: `The symbol '${id}' has not been uploaded.` });
    return ok({ uri: fileAddress(call, 'symbols', symbolKey(appId, uploadId)) });
  },
});

/** Accepts existing symbols, and missing symbols that a report needs. */
export const ignoreSymbol = routeCode(['symbol_id'], {
  responses: { 200: SymbolView },
  async handle(call) {
    const { id: appId } = appOf(call);
    const id = call.params.symbol_id.toLowerCase();
    const isWanted = await isNeeded(call.jar, appId, id);
    const createdAt = new Date(call.jar.clock.now()).toISOString();
    const symbol = await call.jar.store.transact(async (tx) => {
      const known = (await tx.get(symbols, symbolKey(appId, id)))?.value;
      if (!known && !isWanted) throw noSymbol(id);
      const ignored: AppSymbol = { ...(known ?? unknown(appId, id, createdAt)), status: 'ignored' };
      await tx.put(symbols, symbolKey(appId, id), ignored);
      await tx.change({
        source: 'lifecycle',
        kind: 'write',
        subject: `lifecycle/apps/${appId}/symbols/${id}`,
        outcome: 'Succeeded',
        at: call.receivedAt,
        data: { status: 'ignored' },
      });
      return ignored;
    });
    return ok(symbolView(symbol));
  },
});

const unknown = (appId: string, id: string, createdAt: string): AppSymbol => ({
  id,
  appId,
  uploadId: '',
  type: 'Apple',
  platform: 'ios',
  status: 'ignored',
  alternateIds: [],
  createdAt,
});
