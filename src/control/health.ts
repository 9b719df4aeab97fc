import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { route } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

const TROUBLES = Type.Array(Type.Object({ part: Type.String(), reason: Type.String() }), {
  description: 'What does not work, and why. Absent when everything does.',
});

const HEALTH = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')]),
  troubles: Type.Optional(TROUBLES),
  version: Type.String(),
  store: Type.String(),
  clock: Type.String(),
  now: Type.String(),
});

/**
 * Two different questions. Ready: the jar can answer calls; a load balancer sends none otherwise. Live: the process works; a supervisor
 * restarts it otherwise, which would not repair a database.
 */
export function healthRoutes(controls: Controls): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/_jar/health',
      operation: 'Jar_Health',
      summary: 'Whether the jar can answer calls, and what does not work; never waits for anything',
      open: true,
      quiet: true,
      responses: { 200: HEALTH, 503: HEALTH },
      async handle({ jar }) {
        const { serving, troubles } = jar.health.report();
        const body = {
          status: troubles.length === 0 ? 'ready' : 'degraded',
          ...(troubles.length > 0 && { troubles }),
          version: controls.version,
          store: jar.config.memory ? 'memory' : jar.store.engine,
          clock: jar.clock.mode,
          now: new Date(jar.clock.now()).toISOString(),
        };
        return serving ? ok(body) : { status: 503, headers: { 'retry-after': '1' }, body };
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/health/live',
      operation: 'Jar_Alive',
      summary: 'Whether the process runs, whatever it depends on',
      open: true,
      quiet: true,
      responses: { 200: Type.Object({ status: Type.Literal('alive') }) },
      handle: async () => ok({ status: 'alive' }),
    }),
  ];
}
