import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { route } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

/** Every service that is called with a key of its own has one here from the start. */
export const keysRoute = ({ host }: Pick<Controls, 'host'>): Route =>
  route({
    method: 'GET',
    path: '/_jar/keys',
    operation: 'Jar_GetKeys',
    summary: 'A key for each service that takes keys, by the name of the service',
    responses: { 200: Type.Record(Type.String(), Type.String()) },
    async handle() {
      const keys: Record<string, string> = {};
      for (const { service, parts } of await host.openAll(({ hasKey }) => hasKey === true)) {
        const key = await parts.key?.();
        if (key !== undefined) keys[service.name] = key;
      }
      return ok(keys);
    },
  });
