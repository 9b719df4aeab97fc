import { Type } from 'typebox';
import { ok } from '../../../../kernel/http/index.ts';
import { routeCode } from '../../jar.ts';

/** The API has no operation to create a webhook. */
export const listWebhooks = routeCode([], {
  responses: { 200: Type.Object({ values: Type.Array(Type.Object({})) }) },
  handle: () => ok({ values: [] }),
});
