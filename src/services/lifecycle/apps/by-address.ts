import { ok } from '../../../kernel/http/index.ts';
import { accessOf, appOf } from '../access/access.ts';
import type { Owner } from '../collections.ts';
import { gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { AppView, appView } from './shape.ts';

/** An app by the URL of its page, which states if the owner is a user or an organization. */
const byAddress = (kind: Owner['kind']) =>
  routeCode([], {
    responses: { 200: AppView },
    async handle(call) {
      const app = appOf(call);
      if (app.owner.kind !== kind) throw gateway.notFound(call);
      return ok(await appView(call, { app, standing: accessOf(call).standing }));
    },
  });

export const getByUserAddress = byAddress('user');
export const getByOrgAddress = byAddress('org');
