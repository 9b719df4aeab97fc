import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import type { Controls } from './controls.ts';
import { route } from './family.ts';

/** A key for every service that uses its own keys; available from the start. */
export const keysRoute = ({ host }: Pick<Controls, 'host'>): Route =>
  route({
    method: 'GET',
    path: '/_jar/keys',
    operation: 'Jar_GetKeys',
    summary: 'A key for each service that uses keys, by the name of the service',
    secretBodies: true,
    // People who may only read get keys that permit only that, of the services that have them.
    safe: true,
    responses: { 200: Type.Record(Type.String(), Type.String()) },
    async handle({ facts }) {
      const access = facts.session?.role === 'reader' ? 'read' : 'full';
      const keys: Record<string, string> = {};
      for (const { service, parts } of await host.openAll(({ hasKey }) => hasKey === true)) {
        const key = await parts.key?.(access);
        if (key !== undefined) keys[service.name] = key;
      }
      return ok(keys);
    },
  });
