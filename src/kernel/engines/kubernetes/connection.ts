import type { Cluster, CoreV1Api, KubeConfig, RequestContext, VersionApi } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { ConfigError } from '../../config/config.ts';
import { isLocalhostName, reachOf } from '../../outbound/addresses.ts';
import { processTime } from '../../time/timers.ts';
import type { EngineContext } from '../context.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../settings.ts';
import { Requests } from './requests.ts';

/** After this, credentials are read and connections made anew: certificates in a kubeconfig are replaced while a jar runs. */
const KEEP_CONNECTIONS_MS = 300_000;

const NOWHERE = 'http://localhost:8080';

export type ClientLibrary = typeof import('@kubernetes/client-node');

/** The way to an API server. */
export interface Connection {
  readonly library: ClientLibrary;
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly version: VersionApi;
  readonly namespace: string;
  readonly server: string;
  readonly requests: Requests;
  close(): Promise<void>;
}

/** The published package has it bundled; a clone that was made ready to run, and for no tests, does without. */
async function loadLibrary(): Promise<ClientLibrary> {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError('the client of Kubernetes is not installed: run `npm install` in the clone, and start again');
  }
}

/** Reads the configuration as kubectl does, without asking the server for anything. Throws `ConfigError`. */
export async function connect({
  settings,
  settingsPath,
}: Pick<EngineContext, 'settings' | 'settingsPath'>): Promise<Connection> {
  const { kubernetes = {}, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = settings;
  const setting = `${settingsPath}.kubernetes`;
  const library = await loadLibrary();
  const config = new library.KubeConfig();
  try {
    if (kubernetes.kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubernetes.kubeconfig);
  } catch (error) {
    throw new ConfigError(`${setting}.kubeconfig cannot be read: ${(error as Error).message}`);
  }
  if (kubernetes.context !== undefined) config.setCurrentContext(kubernetes.context);
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    const named = config.getCurrentContext() ? `context ${config.getCurrentContext()}` : 'a current context';
    throw new ConfigError(`${setting}: the kubeconfig has no cluster for ${named}`);
  }
  // What the library makes up where nobody has configured anything.
  if (cluster.server === NOWHERE && kubernetes.kubeconfig === undefined && kubernetes.context === undefined) {
    throw new ConfigError(`${setting}: there is no kubeconfig, and this is not inside of a cluster`);
  }
  permitLoopback(config, cluster, setting);
  const pool = shareConnections(config);
  const requests = new Requests({
    library,
    server: cluster.server,
    patienceMs: timeoutSeconds * 1000,
    authorize: (request) => config.applySecurityAuthentication(request),
  });
  const api = library.createConfiguration({
    baseServer: new library.ServerConfiguration(cluster.server, {}),
    authMethods: { default: config },
    httpApi: requests.library,
  });
  return {
    library,
    config,
    core: new library.CoreV1Api(api),
    version: new library.VersionApi(api),
    namespace: kubernetes.namespace ?? config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    server: cluster.server,
    requests,
    close() {
      requests.pulse.close();
      return pool.close();
    },
  };
}

/** `kubectl proxy` and the like: the library would have TLS, or be told that it is not wanted. */
function permitLoopback(config: KubeConfig, cluster: Cluster, setting: string): void {
  const { protocol, hostname } = new URL(cluster.server);
  if (protocol !== 'http:') return;
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (!isLocalhostName(bare) && reachOf(bare) !== 'loopback') {
    throw new ConfigError(`${setting}: ${cluster.server} is not on this machine and needs https`);
  }
  config.clusters = config.clusters.map((each) =>
    each.name === cluster.name ? { ...each, skipTLSVerify: true } : each,
  );
}

/** The library makes a pool of connections for each request; all requests take the same one here. */
function shareConnections(config: KubeConfig): { close(): Promise<void> } {
  const apply = config.applySecurityAuthentication.bind(config);
  let shared: { dispatcher: Dispatcher; until: number } | undefined;
  config.applySecurityAuthentication = async (context: RequestContext) => {
    await apply(context);
    const made = context.getDispatcher();
    if (!made) return;
    if (shared && processTime() < shared.until) {
      context.setDispatcher(shared.dispatcher);
      return;
    }
    // What is under way on the old connections is not cut off.
    shared?.dispatcher.close().catch(() => {});
    shared = { dispatcher: made, until: processTime() + KEEP_CONNECTIONS_MS };
  };
  return {
    async close() {
      await shared?.dispatcher.destroy();
      shared = undefined;
    },
  };
}
