import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { route } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

/** A key for every service that uses its own keys; available from the start. */
export const keysRoute = ({ host }: Pick<Controls, 'host'>): Route =>
  route({
    method: 'GET',
    path: '/_jar/keys',
    operation: 'Jar_GetKeys',
    summary: 'A key for each service that uses keys, by the name of the service',
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
