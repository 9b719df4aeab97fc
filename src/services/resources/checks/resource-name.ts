import { Type } from 'typebox';
import { isReservedName } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute } from '../../../kernel/service/index.ts';

const text = Type.String();

export const resourceNameRoutes: readonly Route[] = [
  armRoute({
    method: 'POST',
    path: '/providers/Vendor.Resources/checkResourceName',
    operation: 'Subscriptions_CheckResourceName',
    summary: 'Checks whether a resource name contains a reserved word',
    action: 'Vendor.Resources/checkResourceName/action',
    effect: 'read',
    tenantLevel: true,
    body: Type.Object({ name: Type.String({ minLength: 1 }), type: Type.String({ minLength: 1 }) }),
    responses: { 200: Type.Object({ name: text, type: text, status: Type.Enum(['Allowed', 'Reserved']) }) },
    handle({ body: { name, type } }) {
      return ok({ name, type, status: isReservedName(name) ? 'Reserved' : 'Allowed' });
    },
  }),
];
