import { Type } from 'typebox';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import { type ResourceDefinition, resourceRoutes } from '../../../src/kernel/arm/resource-routes.ts';
import { type WholeService, wholeService } from '../../support/whole-service.ts';

/** The smallest possible management service: shows what the kernel provides. */
const widgets: ResourceDefinition = {
  type: 'Vendor.Test/widgets',
  apiVersions: ['2024-01-01', '2023-01-01'],
  locations: ['eastus', 'westeurope'],
  tracked: true,
  operations: 'Widgets',
  namePattern: /^[a-z0-9-]{1,20}$/i,
  body: Type.Object({ properties: Type.Object({ size: Type.Integer({ minimum: 1 }) }) }),
  write: ({ body }) => ({
    properties: { ...(body.properties as { size: number }), provisioningState: 'Succeeded' },
    extra: {},
  }),
};

/** As one object, for tests that build their own service from it. */
export const WIDGET_PARTS: WholeService = {
  name: 'widgets',
  title: 'Widgets',
  family: MANAGEMENT,
  mounts: [],
  routes: resourceRoutes(widgets),
  resourceTypes: [widgets],
};

export const WIDGETS = wholeService(WIDGET_PARTS);
