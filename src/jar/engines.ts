import { CONTROL_LIMITS } from '../control/limits-table.ts';
import { groupByNamespace } from '../kernel/arm/providers.ts';
import { normalAudience } from '../kernel/auth/audience.ts';
import { Directory } from '../kernel/auth/directory.ts';
import { Lifetimes } from '../kernel/auth/lifetimes.ts';
import { seedCredentials } from '../kernel/auth/seed-credentials.ts';
import { Tokens } from '../kernel/auth/tokens.ts';
import type { Config } from '../kernel/config/config.ts';
import { createDelivery } from '../kernel/delivery/index.ts';
import { openFaults } from '../kernel/faults/index.ts';
import { createFeed } from '../kernel/feed/index.ts';
import { boundsForStrangers, MemoryBudget } from '../kernel/http/memory-budget.ts';
import { openLimits } from '../kernel/limits/index.ts';
import { OutboundClient } from '../kernel/outbound/client.ts';
import type { ServiceHost } from '../kernel/service/host.ts';
import type { Addresses, Jar } from '../kernel/service/jar.ts';
import { permissionsOf } from '../kernel/service/permissions.ts';
import { apisOf } from '../kernel/service/service.ts';
import type { Store } from '../kernel/store/types.ts';
import { Health, type PartHealth } from '../kernel/telemetry/health.ts';
import type { Logger } from '../kernel/telemetry/log.ts';
import { createMetrics } from '../kernel/telemetry/metrics.ts';
import { DAY_MS } from '../kernel/time/units.ts';
import type { Authority } from '../kernel/tls/authority.ts';
import { ServiceCertificates } from '../kernel/tls/contexts.ts';
import type { JarState } from './state.ts';
import type { Undo } from './undo.ts';

/** Limits of the control API, which is a service in a host of its own. */
const CONTROL_TABLE = { service: 'control', limits: CONTROL_LIMITS };
const MEGABYTE = 1024 * 1024;

export interface EngineOptions {
  readonly config: Config;
  readonly state: JarState;
  readonly host: ServiceHost;
  readonly log: Logger;
  readonly closing: AbortSignal;
  /** The jar's own CA, which its outbound client trusts in addition to the system's CAs. */
  readonly authority: Authority;
}

/** Opens the kernel's engines over the state, and assembles the `Jar` that services receive. */
export async function openEngines(options: EngineOptions, undo: Undo): Promise<Jar> {
  const { config, state, host, log, closing, authority } = options;
  const { store, clock, vault, adminKey, identity, keys } = state;
  const { services } = host;
  const apis = services.flatMap(apisOf);
  const metrics = createMetrics();
  const health = new Health();
  health.add({ name: 'store', optional: false, state: () => healthOf(store) });
  health.add({
    name: 'data',
    optional: true,
    state: () => (state.damages.length === 0 ? { ok: true } : { ok: false, reason: state.damages.join('; ') }),
  });
  metrics.collectedGauge({
    name: 'cloudjar_store_up',
    help: 'Whether the store answers.',
    collect: () => (store.health().reachable ? 1 : 0),
  });
  const lifetimes = new Lifetimes({ clock, log, metrics, strict: config.strictTokenExpiry });
  const addresses: Addresses = { httpPort: 0, httpsPort: 0, smtpPort: 0 };
  const outbound = new OutboundClient({
    authority: async () => authority.caPem,
    host: config.host,
    allowHttpLoopback: config.allowHttpLoopback,
    ownPorts: () => [addresses.httpPort, addresses.httpsPort],
  });
  undo.add('closing the connections to others', () => outbound.close());
  const faults = await openFaults({ store, clock, log, metrics });
  const tables = [...apis.map(({ name, limits = [] }) => ({ service: name, limits })), CONTROL_TABLE];
  const limits = await openLimits({ config, store, clock, log, metrics, health, jarId: identity.jarId, tables });
  undo.add('closing the counters of rates', () => limits.close());
  const delivery = createDelivery({
    store,
    clock,
    vault,
    log,
    metrics,
    outbound,
    faults,
    policies: services.flatMap((service) => service.policies ?? []),
    open: (policy) => host.openByPolicy(policy),
  });
  host.onOpen(({ parts, jar }) => delivery.use(parts.policies ?? [], jar));
  const feed = createFeed({
    store,
    log,
    followers: services.flatMap((service) => service.follows ?? []),
    now: () => clock.now(),
    open: (follower) => host.follower(follower),
    limits: { maxAgeMs: config.changeRetentionDays * DAY_MS, maxCount: config.changeRetentionCount },
  });
  const bodyBounds = { bytes: config.largeBodyMegabytes * MEGABYTE, count: config.largeBodies };
  const jar: Jar = {
    id: identity.jarId,
    config,
    store,
    clock,
    log,
    bodyMemory: new MemoryBudget(bodyBounds),
    strangerMemory: new MemoryBudget(boundsForStrangers(bodyBounds)),
    metrics,
    health,
    vault,
    keys,
    lifetimes,
    tokens: new Tokens(keys, clock, lifetimes, identity.jarId),
    directory: new Directory(store),
    seedCredentials: seedCredentials(config.host, adminKey),
    addresses,
    certificates: new ServiceCertificates(authority),
    providers: groupByNamespace(
      services.flatMap(({ resourceTypes = [], configuredTypes }) => [
        ...resourceTypes,
        ...(configuredTypes?.(config) ?? []),
      ]),
    ),
    resourceHooks: host.resourceHooks,
    permissions: permissionsOf(host),
    audiences: new Set(apis.flatMap(({ audiences = [] }) => audiences).map(normalAudience)),
    outbound,
    limits,
    delivery,
    feed,
    faults,
    closing,
  };
  host.attach(jar);
  undo.add('closing the services', () => host.close());
  return jar;
}

function healthOf(store: Store): PartHealth {
  const health = store.health();
  return health.reachable ? { ok: true } : { ok: false, reason: health.reason };
}
