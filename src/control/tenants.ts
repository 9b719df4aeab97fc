import { Type } from 'typebox';
import { type Tenant, tenants } from '../kernel/auth/index.ts';
import type { Route } from '../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { route } from '../kernel/service/index.ts';

const View = Type.Object({ id: Type.String(), domain: Type.String(), displayName: Type.String() });

const shape = entityShape<Tenant>({
  name: 'tenants',
  collection: tenants,
  properties: {
    id: { type: 'Edm.String', field: 'key', ignoreCase: true },
    domain: { type: 'Edm.String', field: 'domain', ignoreCase: true },
    displayName: { type: 'Edm.String' },
  },
  scan: 'bounded',
});

export const tenantRoute: Route = route({
  method: 'GET',
  path: '/_jar/tenants',
  operation: 'Jar_ListTenants',
  summary: 'The tenants of the directory',
  query: listQuery(shape),
  responses: { 200: listOf(View) },
  handle: (call) => listAnswer(call, { shape, view: ({ value }) => value }),
});
