import type { Permission, Permissions } from '../arm/permissions.ts';
import type { ArmTraits } from '../arm/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceHost } from './host.ts';

/** The permissions of a resource provider, collected from all services that implement it. */
export const permissionsOf = (host: Pick<ServiceHost, 'services' | 'open'>): Permissions => ({
  async of(namespace) {
    const start = `${namespace}/`.toLowerCase();
    const offering = host.services.filter(({ resourceTypes = [] }) =>
      resourceTypes.some(({ type }) => type.toLowerCase().startsWith(start)),
    );
    const found = new Map<string, Permission>();
    for (const { name } of offering) {
      const { parts } = await host.open(name);
      for (const { traits, summary } of parts.routes ?? []) {
        const action = actionOf(traits);
        if (action?.toLowerCase().startsWith(start)) found.set(action, found.get(action) ?? { action, summary });
      }
    }
    return [...found.values()];
  },
});

function actionOf(traits: Route['traits']): string | undefined {
  const { arm } = (traits ?? {}) as { readonly arm?: ArmTraits };
  return arm?.action;
}
