import type { Cluster, CoreV1Api, KubeConfig, RequestContext, VersionApi } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { ConfigError } from '../../config/config.ts';
import { addressClassOf, isLocalhostName } from '../../outbound/addresses.ts';
import { processTime } from '../../time/timers.ts';
import type { EngineContext } from '../context.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../settings.ts';
import { Requests } from './requests.ts';

/**
 * After this long, credentials are read again and connections opened again: certificates in a kubeconfig may be replaced while a jar runs.
 */
const KEEP_CONNECTIONS_MS = 300_000;

const NOWHERE = 'http://localhost:8080';

export type ClientLibrary = typeof import('@kubernetes/client-node');

/** Access to an API server. */
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

/** The published package bundles the library; a clone without its development dependencies lacks it. */
async function loadLibrary(): Promise<ClientLibrary> {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError('the Kubernetes client is not installed: run `npm install` in the clone, and start again');
  }
}

/** Reads the configuration as kubectl does, without contacting the server. Throws `ConfigError`. */
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
  // The library's default if no cluster is configured.
  if (cluster.server === NOWHERE && kubernetes.kubeconfig === undefined && kubernetes.context === undefined) {
    throw new ConfigError(`${setting}: no kubeconfig was found, and the jar does not run in a cluster`);
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
      requests.hangDetector.close();
      return pool.close();
    },
  };
}

/** `kubectl proxy` and the like use plain HTTP, which the library accepts only with `skipTLSVerify`. */
function permitLoopback(config: KubeConfig, cluster: Cluster, setting: string): void {
  const { protocol, hostname } = new URL(cluster.server);
  if (protocol !== 'http:') return;
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (!isLocalhostName(bare) && addressClassOf(bare) !== 'loopback') {
    throw new ConfigError(`${setting}: ${cluster.server} is not on this machine and needs https`);
  }
  config.clusters = config.clusters.map((each) =>
    each.name === cluster.name ? { ...each, skipTLSVerify: true } : each,
  );
}

/** The library creates a connection pool for each request; here all requests share one. */
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
    // Requests in progress on the old connections are finished.
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
