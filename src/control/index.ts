import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { route, type ServiceApi } from '../kernel/service/index.ts';
import { METRICS_CONTENT_TYPE } from '../kernel/telemetry/index.ts';
import { changesRoute } from './changes.ts';
import type { Controls } from './controls.ts';
import { deliveryRoutes } from './deliveries.ts';
import { directoryRoutes } from './directory.ts';
import { docsRoutes } from './docs/routes.ts';
import { eventsRoute } from './events.ts';
import { advanceError } from './family.ts';
import { faultRoutes } from './faults.ts';
import { healthRoutes } from './health.ts';
import { inboxRoutes } from './inbox.ts';
import { keysRoute } from './keys.ts';
import { landingRoute } from './landing.ts';
import { limitRoutes } from './limits.ts';
import { processRoutes } from './process.ts';
import { requestRoutes } from './requests.ts';
import { snapshotRoutes } from './snapshots.ts';
import { tokenRoute } from './tokens.ts';
import { workRoutes } from './work.ts';

/** The control API under `/_jar`: functions of a jar that a real cloud does not have. */
export function controlRoutes(api: ServiceApi, controls: Controls): readonly Route[] {
  const routes: readonly Route[] = [
    landingRoute(controls),
    ...openRoutes(controls),
    ...processRoutes(controls),
    ...clockRoutes(controls),
    tokenRoute,
    keysRoute(controls),
    ...directoryRoutes,
    eventsRoute,
    changesRoute,
    ...workRoutes,
    ...deliveryRoutes,
    ...requestRoutes(controls),
    ...limitRoutes,
    ...faultRoutes(controls),
    ...snapshotRoutes(controls),
    ...inboxRoutes,
    ...jarRoutes(controls),
    ...docsRoutes(controls, () => ({ ...api, routes })),
  ];
  return routes;
}

function openRoutes(controls: Controls): Route[] {
  return [
    ...healthRoutes(controls),
    route({
      method: 'GET',
      path: '/_jar/ca.pem',
      operation: 'Jar_CaCertificate',
      summary: "The jar's CA certificate, for clients to trust",
      open: true,
      produces: 'application/x-pem-file',
      responses: { 200: 'PEM' },
      handle: async () => ok(await controls.caCertificate(), { 'content-type': 'application/x-pem-file' }),
    }),
  ];
}

function clockRoutes(controls: Controls): Route[] {
  return [
    route({
      method: 'GET',
      path: '/_jar/clock',
      operation: 'Jar_GetClock',
      summary: "The jar's time, and when the next work is due",
      responses: {
        200: Type.Object({
          now: Type.String(),
          mode: Type.String(),
          nextDue: Type.Union([Type.String(), Type.Null()]),
        }),
      },
      async handle({ jar }) {
        const next = await jar.store.work.nextDue();
        return ok({ now: iso(jar.clock.now()), mode: jar.clock.mode, nextDue: next === undefined ? null : iso(next) });
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/clock/advance',
      operation: 'Jar_AdvanceClock',
      summary: 'Advances the clock, runs all work that falls due, and answers when no work is left',
      body: Type.Object({ by: Type.Union([Type.String(), Type.Number()]) }, { additionalProperties: false }),
      responses: { 200: Type.Object({ now: Type.String(), fired: Type.Integer() }) },
      async handle({ body }) {
        try {
          const { now, fired } = await controls.advance(body.by);
          return ok({ now: iso(now), fired });
        } catch (error) {
          throw advanceError(error);
        }
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/settled',
      operation: 'Jar_Settled',
      summary: 'Answers when no work is due or running, without advancing the clock',
      responses: { 200: Type.Object({ status: Type.Literal('settled'), now: Type.String() }) },
      async handle({ jar }) {
        await controls.settled();
        return ok({ status: 'settled', now: iso(jar.clock.now()) });
      },
    }),
  ];
}

function jarRoutes(controls: Controls): Route[] {
  return [
    route({
      method: 'POST',
      path: '/_jar/reset',
      operation: 'Jar_Reset',
      summary: 'Resets all state and the clock to the seed',
      responses: { 200: Type.Object({ status: Type.String(), now: Type.String() }) },
      async handle({ jar }) {
        await controls.reset();
        return ok({ status: 'reset', now: iso(jar.clock.now()) });
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/metrics',
      operation: 'Jar_Metrics',
      summary: 'Metrics in the Prometheus text format',
      quiet: true,
      produces: 'text/plain',
      responses: { 200: 'Prometheus text' },
      handle: async () => ok(await controls.renderMetrics(), { 'content-type': METRICS_CONTENT_TYPE }),
    }),
  ];
}

const iso = (at: number): string => new Date(at).toISOString();
