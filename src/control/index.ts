import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { route, type ServiceApi } from '../kernel/service/index.ts';
import { METRICS_CONTENT_TYPE } from '../kernel/telemetry/index.ts';
import { changesRoute } from './changes.ts';
import { clockRoutes } from './clock.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { sessionRoutes } from './console/session-routes.ts';
import type { Controls } from './controls.ts';
import { deliveryRoutes } from './deliveries.ts';
import { directoryRoutes } from './directory.ts';
import { docsRoutes } from './docs/routes.ts';
import { eventsRoute } from './events.ts';
import { faultRoutes } from './faults.ts';
import { healthRoutes } from './health.ts';
import { inboxRoutes } from './inbox.ts';
import { keysRoute } from './keys.ts';
import { landingRoute } from './landing.ts';
import { limitRoutes } from './limits.ts';
import { liveRoute } from './live.ts';
import { overviewRoute } from './overview.ts';
import { processRoutes } from './process.ts';
import { requestRoutes } from './requests.ts';
import { snapshotRoutes } from './snapshots.ts';
import { tokenRoute } from './tokens.ts';
import { workRoutes } from './work.ts';

/** The control API under `/_jar`: functions of a jar that a real cloud does not have. */
export function controlRoutes(api: ServiceApi, controls: Controls, adminKey: string): readonly Route[] {
  const routes: readonly Route[] = [
    landingRoute(controls),
    ...consoleRoutes(),
    ...sessionRoutes(controls, adminKey),
    ...openRoutes(controls),
    ...processRoutes(controls),
    ...clockRoutes(controls),
    tokenRoute,
    keysRoute(controls),
    ...directoryRoutes,
    eventsRoute,
    changesRoute,
    liveRoute(controls),
    overviewRoute(controls),
    ...workRoutes(controls),
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
