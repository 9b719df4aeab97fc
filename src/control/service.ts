import type { Service, ServiceApi } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';
import { controlFamily } from './family.ts';

/** The control API as a service, so that its code is loaded like that of other services: with the first request. */
export function controlService(adminKey: string, controls: Controls): Service {
  const api: ServiceApi = {
    name: 'control',
    title: 'Control API',
    family: controlFamily(adminKey),
    mounts: ['/_jar', '/console'],
    // The landing page.
    claims: ['/'],
  };
  return {
    ...api,
    open: async () => ({ routes: (await import('./index.ts')).controlRoutes(api, controls, adminKey) }),
  };
}
