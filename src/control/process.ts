import { Type } from 'typebox';
import { type Answer, ok, type Route } from '../kernel/http/index.ts';
import { route } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';
import { controlErrors } from './family.ts';

const STATUS = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')]),
  troubles: Type.Array(Type.Object({ part: Type.String(), reason: Type.String() })),
  version: Type.String(),
  node: Type.String({ description: 'The version of Node.js' }),
  pid: Type.Integer(),
  startedAt: Type.String({ description: "By the system's clock" }),
  host: Type.String({ description: 'The address that the jar listens on' }),
  httpPort: Type.Integer(),
  httpsPort: Type.Integer(),
  smtpPort: Type.Integer(),
  dnsPort: Type.Optional(Type.Integer({ description: 'Port of the name server, if there is one' })),
  publicUrl: Type.Array(Type.String()),
  data: Type.Union([Type.String(), Type.Null()], { description: 'The data folder; null for a jar without one' }),
  store: Type.String(),
  clock: Type.String(),
  now: Type.String(),
  services: Type.Record(Type.String(), Type.String(), {
    description: 'Information from services, such as the container engine',
  }),
});

/** The process of the jar: status and stop. */
export function processRoutes(controls: Controls): Route[] {
  return [
    route({
      method: 'GET',
      path: '/_jar/status',
      operation: 'Jar_Status',
      summary: 'The process of the jar: its id, ports, data folder, store, clock and troubles',
      responses: { 200: STATUS },
      async handle({ jar }) {
        const { troubles } = jar.health.report();
        const { pid, startedAt, folder } = controls.process;
        const { config, addresses, clock } = jar;
        return ok({
          status: troubles.length === 0 ? 'ready' : 'degraded',
          troubles,
          version: controls.version,
          node: process.versions.node,
          pid,
          startedAt,
          host: config.host,
          httpPort: addresses.httpPort,
          httpsPort: addresses.httpsPort,
          smtpPort: addresses.smtpPort,
          ...(addresses.dnsPort !== undefined && { dnsPort: addresses.dnsPort }),
          publicUrl: config.publicUrl,
          data: folder ?? null,
          store: config.memory ? 'memory' : jar.store.engine,
          clock: clock.mode,
          now: new Date(clock.now()).toISOString(),
          services: Object.fromEntries(controls.host.announcements.map(({ name, text }) => [name, text])),
        });
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/stop',
      operation: 'Jar_Stop',
      summary: 'Ends the jar as SIGTERM does: running requests are finished, and the state is kept',
      responses: {
        202: Type.Object({
          status: Type.Literal('stopping'),
          pid: Type.Integer(),
          timeoutMs: Type.Integer({
            description: 'The jar ends within this many milliseconds, even if something hangs',
          }),
        }),
      },
      async handle({ jar }): Promise<Answer> {
        if (!controls.stop) throw controlErrors.StopUnavailable();
        controls.stop();
        const { pid } = controls.process;
        return { status: 202, body: { status: 'stopping', pid, timeoutMs: jar.config.shutdownTimeoutMs } };
      },
    }),
  ];
}
