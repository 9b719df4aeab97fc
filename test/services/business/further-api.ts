import type { Route } from '../../../src/kernel/http/route.ts';
import type { OpenService, Service } from '../../../src/kernel/service/service.ts';
import { BUSINESS } from '../../../src/services/business/family.ts';
import { SERVICES } from '../../../src/services.ts';

/** All services; the business application gets a further API at `/<name>`, whose requests use the same steps and caches. */
export function withFurtherApi(name: string, routes: readonly Route[]): readonly Service[] {
  const api = { name, title: `Further API '${name}'`, family: { ...BUSINESS, name }, mounts: [`/${name}`] };
  return SERVICES.map((service) => {
    if (service.name !== 'business') return service;
    const open = async (jar: Parameters<Service['open']>[0]): Promise<OpenService> => {
      const opened = await service.open(jar);
      return { ...opened, apis: { [name]: { routes, steps: opened.steps ?? [] } } };
    };
    return { ...service, apis: [api], open };
  });
}
