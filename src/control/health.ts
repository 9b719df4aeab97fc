import { type Static, Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { type Jar, route } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

const TROUBLES = Type.Array(Type.Object({ part: Type.String(), reason: Type.String() }), {
  description: 'Parts that do not work, and why. Absent if everything works.',
});

export const HealthView = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')]),
  troubles: Type.Optional(TROUBLES),
});

const HEALTH = Type.Object({
  ...HealthView.properties,
  version: Type.String(),
  store: Type.String(),
  clock: Type.String(),
  now: Type.String(),
});

/** The last known state; sends no query. */
export function healthView({ health }: Pick<Jar, 'health'>): Static<typeof HealthView> {
  const { troubles } = health.report();
  return troubles.length === 0 ? { status: 'ready' } : { status: 'degraded', troubles: [...troubles] };
}

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
      summary: 'Readiness: whether the jar can answer calls, and its troubles; answers immediately',
      open: true,
      quiet: true,
      responses: { 200: HEALTH, 503: HEALTH },
      async handle({ jar }) {
        const { serving } = jar.health.report();
        const body = {
          ...healthView(jar),
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
      summary: 'Liveness: whether the process runs, independent of its dependencies',
      open: true,
      quiet: true,
      responses: { 200: Type.Object({ status: Type.Literal('alive') }) },
      handle: async () => ok({ status: 'alive' }),
    }),
  ];
}
