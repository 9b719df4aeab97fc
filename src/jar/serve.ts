import type { Controls } from '../control/controls.ts';
import { controlService } from '../control/service.ts';
import type { Config } from '../kernel/config/config.ts';
import { HostNameTable } from '../kernel/http/host-names.ts';
import type { ApplyFault } from '../kernel/http/interference.ts';
import type { Owner } from '../kernel/http/owner.ts';
import { PathGuide, type Suggestion } from '../kernel/http/path-guide.ts';
import type { Method, Route } from '../kernel/http/route.ts';
import { Router } from '../kernel/http/router.ts';
import { createServer, type ServerOptions } from '../kernel/http/server.ts';
import { placeOf, type SocketRoute } from '../kernel/http/socket-route.ts';
import { createSocketServer, type DeclaredSocket } from '../kernel/http/socket-server.ts';
import { type Opened, ServiceHost } from '../kernel/service/host.ts';
import type { Jar } from '../kernel/service/jar.ts';
import { apisOf, controlRoutesOf, type OpenApi, type ServiceApi } from '../kernel/service/service.ts';
import type { Authority } from '../kernel/tls/authority.ts';
import { type Listening, listen } from './listen.ts';
import type { Undo } from './undo.ts';

export interface ServeOptions {
  readonly config: Config;
  readonly jar: Jar;
  readonly host: ServiceHost;
  readonly adminKey: string;
  readonly controls: Controls;
  /** Folder of the certificates; undefined keeps them in memory. */
  readonly folder: string | undefined;
  readonly authority: Authority;
  readonly observe: ServerOptions['observe'];
  readonly dropped: ServerOptions['dropped'];
}

/** Routes requests on the ports to all services. */
export async function serve(options: ServeOptions, undo: Undo): Promise<Listening> {
  const { config, jar, host, adminKey, controls, folder, authority, observe, dropped } = options;
  const control = controlService(adminKey, controls);
  const router = new Router<Owner>(config.namespace);
  const guide = new PathGuide<Owner>(config.namespace);
  const add = (route: Route, owner: Owner): void => {
    router.add(route, owner);
    guide.add(route, owner);
  };
  const owners = new Map<string, Owner>();
  const sockets: DeclaredSocket[] = [];
  const hostNames = new HostNameTable();
  for (const names of host.hostNames) hostNames.add(names);
  const mount = ({ name, family, mounts }: ServiceApi): Owner => {
    const owner: Owner = { name, family, jar, steps: [] };
    owners.set(name, owner);
    router.mount(mounts, owner);
    return owner;
  };

  const controlOwner = mount(control);
  for (const service of host.services) {
    for (const api of apisOf(service)) {
      const owner = mount(api);
      for (const head of api.sockets ?? []) {
        router.add(placeOf(head), owner);
        sockets.push({ owner, head, open: async () => socketOf(await host.open(service.name), api, head.operation) });
      }
    }
  }
  const admit = (opened: Opened): void => {
    for (const api of apisOf(opened.service)) {
      const owner = owners.get(api.name) as Owner;
      const { routes = [], steps = [] } = partsOf(opened, api);
      owner.jar = opened.jar;
      owner.steps = steps;
      for (const route of routes) add(route, owner);
    }
    // On the wire these routes belong to the control API; they run with the jar of their service.
    const owner: Owner = { ...controlOwner, jar: opened.jar };
    for (const route of controlRoutesOf(opened.parts)) add(route, owner);
  };
  for (const opened of host.allOpened()) admit(opened);
  host.onOpen(admit);
  // A separate host: the control API is above the services and not one of the services that a jar can be configured to run.
  const controlHost = new ServiceHost([control]);
  controlHost.attach(jar);
  controlHost.onOpen(admit);

  const interfere = interfereWith(jar);
  const [first] = host.services;
  const server = createServer({
    jar,
    router,
    hostNames,
    fallback: owners.get(first?.name ?? control.name) as Owner,
    // Readable for pages of any origin, unlike the rest of the control API: the answer only says that nothing exists there.
    nobody: { ...controlOwner, name: 'unserved', family: { ...control.family, cors: true } },
    suggest: (method, path, owner) => suggest(guide, [controlHost, host], method, path, owner),
    openFor: (path) => {
      const opening = controlHost.openFor(path);
      return opening ? Promise.all([opening, host.openFor(path)]) : host.openFor(path);
    },
    interfere,
    onBehalfOf: jar.store.hasOtherWriters ? (asker, action) => jar.store.onBehalfOf(asker, action) : undefined,
    observe,
    dropped,
  });
  const webSockets = createSocketServer({ jar, sockets, hostNames, interfere, observe });
  const listening = await listen({
    ...server,
    webSockets,
    config,
    folder,
    authority,
    addresses: jar.addresses,
    log: jar.log,
  });
  undo.add('closing the ports', () => listening.close());
  return listening;
}

/**
 * Suggests the route that is nearest to an unknown path. Only the routes of open services are known. Services with similar path prefixes
 * are opened first; the others are opened only if the path belongs to no service (`owner` is undefined) and resembles no route. A single
 * segment, such as the `/favicon.ico` of every browser, opens nothing.
 */
async function suggest(
  guide: PathGuide<Owner>,
  hosts: readonly ServiceHost[],
  method: Method,
  path: string,
  owner: Owner | undefined,
): Promise<Suggestion<Owner> | undefined> {
  for (const host of hosts) await host.openNear(path);
  const near = guide.nearest(method, path);
  if (near || owner || !/[^/]\/+[^/]/.test(path)) return near;
  const openings = hosts.flatMap((host) => host.services.map(({ name }) => host.open(name)));
  await Promise.allSettled(openings);
  return guide.nearest(method, path);
}

/** The code of fault rules is loaded with the first rule, because most jars never have one. */
function interfereWith({ faults, clock, closing }: Jar): ApplyFault {
  let interfere: ApplyFault | undefined;
  const load: ApplyFault = async (owner, call) => {
    const { interfereBy } = await import('../kernel/faults/inbound.ts');
    interfere ??= interfereBy({ faults, clock, closing });
    return interfere(owner, call);
  };
  return (owner, call) => (faults.armed ? (interfere ?? load)(owner, call) : undefined);
}

const partsOf = ({ service, parts }: Opened, api: ServiceApi): OpenApi =>
  api === service ? parts : (parts.apis?.[api.name] ?? {});

function socketOf(opened: Opened, api: ServiceApi, operation: string): SocketRoute {
  const found = partsOf(opened, api).sockets?.find((socket) => socket.operation === operation);
  if (!found) throw new Error(`the WebSocket '${operation}' is declared, but not served`);
  return found;
}
