import { Type } from 'typebox';
import { ok, type Route, route } from '../kernel/http/route.ts';
import type { Controls } from './controls.ts';

/** Every service that is called with a key of its own has one here from the start. */
export const keysRoute = ({ services }: Pick<Controls, 'services'>): Route =>
  route({
    method: 'GET',
    path: '/_jar/keys',
    operation: 'Jar_GetKeys',
    summary: 'A key for each service that takes keys, by the name of the service',
    responses: { 200: Type.Record(Type.String(), Type.String()) },
    async handle({ jar }) {
      const keys: Record<string, string> = {};
      for (const service of services) {
        const key = await service.key?.(jar);
        if (key !== undefined) keys[service.name] = key;
      }
      return ok(keys);
    },
  });
