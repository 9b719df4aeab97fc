import { Type } from 'typebox';
import { ok, routeCode } from '../../../../kernel/http/route.ts';

/** The API has no operation that makes one. */
export const listWebhooks = routeCode([], {
  responses: { 200: Type.Object({ values: Type.Array(Type.Object({})) }) },
  handle: () => ok({ values: [] }),
});
