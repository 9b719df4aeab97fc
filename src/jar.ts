import { inboxCollections } from './control/inbox.ts';
import { controlService } from './control/index.ts';
import { ADMIN_KEY, DATABASE, refuseEmptiedDatabase, SECRET_KEY, type SecretFile, secretFile } from './data-folder.ts';
import { groupByNamespace } from './kernel/arm/providers.ts';
import { normalAudience } from './kernel/auth/audience.ts';
import { applications, Directory, tenants, users } from './kernel/auth/directory.ts';
import { SigningKeys, signingKeys } from './kernel/auth/keys.ts';
import { seedCredentials } from './kernel/auth/seed-credentials.ts';
import { Tokens } from './kernel/auth/tokens.ts';
import { Vault } from './kernel/auth/vault.ts';
import { clockCollection, openClock } from './kernel/clock/index.ts';
import type { AdvanceResult } from './kernel/clock/types.ts';
import { type Config, ConfigError, didYouMean } from './kernel/config.ts';
import { createDelivery, deliveryCollections } from './kernel/delivery/index.ts';
import { faultCollections, openFaults } from './kernel/faults/index.ts';
import { createFeed, feedCollections } from './kernel/feed/index.ts';
import { createServer, type Finished } from './kernel/http/server.ts';
import { createSocketServer } from './kernel/http/socket-server.ts';
import { uuid } from './kernel/ids.ts';
import type { Addresses, Jar } from './kernel/jar-context.ts';
import { limitCollections, openLimits } from './kernel/limits/index.ts';
import { OutboundClient } from './kernel/outbound/client.ts';
import type { Announcement, OpenService, Service } from './kernel/service.ts';
import { createSnapshots, type Snapshots, snapshotCollections } from './kernel/snapshots/index.ts';
import { type DataFolder, openFolder } from './kernel/store/folder.ts';
import { openSqlite } from './kernel/store/index.ts';
import type { Collection, Store } from './kernel/store/types.ts';
import { createLogger, type LogLevel } from './kernel/telemetry/log.ts';
import { createMetrics } from './kernel/telemetry/metrics.ts';
import { createAdvance, startWorker, turnCollection } from './kernel/work/index.ts';
import { listen } from './listen.ts';
import { observeRequests, observeWork } from './observe.ts';
import { loadSeed } from './seed.ts';
import { identify, noteSeeded, seededSections, seedMissing, self } from './self.ts';
import { SERVICES } from './services.ts';
import { VERSION } from './version.ts';

export interface JarOptions {
  readonly config: Config;
  readonly services?: readonly Service[];
  /** Inside another program: nothing is written to disk, and nothing is logged unless asked for. */
  readonly inProcess?: boolean;
  readonly logLevel?: LogLevel;
  /** Told of every request that was answered. */
  readonly observe?: (finished: Finished) => void;
}

export interface RunningJar {
  readonly url: string;
  readonly httpsUrl: string;
  readonly adminKey: string;
  /** The data folder, if there is one. */
  readonly folder: string | undefined;
  /** The file of the certificate that HTTPS clients have to trust; in memory when absent. */
  readonly caPath: string | undefined;
  readonly jar: Jar;
  /** What the services say of themselves at the start. */
  readonly announcements: readonly Announcement[];
  ca(): Promise<string>;
  advance(by: string | number): Promise<AdvanceResult>;
  reset(): Promise<void>;
  readonly snapshots: Snapshots;
  /** Resolves when nothing is due or running. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Makes a running jar out of a configuration: opens the state, seeds it when empty, listens. */
export async function openJar(options: JarOptions): Promise<RunningJar> {
  const { config, inProcess = false } = options;
  const services = options.services ?? SERVICES;
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const unwind = async (): Promise<void> => {
    const problems: unknown[] = [];
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  };
  try {
    const log = createLogger({ level: options.logLevel ?? (inProcess ? 'silent' : config.logLevel) });
    undo.push(() => log.flush());
    const report = (error: unknown): void => log.error({ err: error }, 'something failed that nobody waited for');
    refuseUnknownServices(config, services);
    const seed = await loadSeed(services, config.seed);
    const folder = inProcess ? undefined : config.data;
    const exclusive = !config.memory && config.databaseUrl === undefined;
    const held = folder === undefined ? undefined : await openFolder(folder, { exclusive });
    undo.push(() => held?.release());
    const secret = (file: SecretFile): string | Promise<string> =>
      held ? secretFile(held.path, file, (message) => log.warn(message)) : file.make();
    const vault = new Vault(Buffer.from(config.secretKey ?? (await secret(SECRET_KEY)), 'base64url'));
    const adminKey = config.adminKey ?? (await secret(ADMIN_KEY));

    const collections = collectionsOf(services);
    if (exclusive && held) await refuseEmptiedDatabase(held.path);
    const store = await openStore(config, exclusive ? held?.file(DATABASE) : undefined, collections, report);
    undo.push(() => store.close());
    const clock = await openClock({ mode: config.clock, start: config.clockStart, store, onError: report });
    undo.push(() => clock.close());
    if (config.clockStart !== undefined && clock.now() !== config.clockStart) log.warn(describeStoredTime(clock.now()));
    const closing = new AbortController();
    const metrics = createMetrics();
    const keys = new SigningKeys(store, clock, vault);
    const addresses: Addresses = { httpPort: 0, httpsPort: 0 };
    const identity = await identify(store, vault, describeKey(config, held));
    const outbound = new OutboundClient({
      authority: () => listening.ca(),
      host: config.host,
      allowHttpLoopback: config.allowHttpLoopback,
      ownPorts: () => [addresses.httpPort, addresses.httpsPort],
    });
    undo.push(() => outbound.close());
    const faults = await openFaults({ store, clock, log, metrics });
    const tables = services.map(({ name, limits = [] }) => ({ service: name, limits }));
    const limits = await openLimits({ config, store, clock, log, metrics, jarId: identity.jarId, tables });
    undo.push(() => limits.close());
    const policies = services.flatMap((service) => service.deliveries ?? []);
    const delivery = createDelivery({
      store,
      clock,
      vault,
      log,
      metrics,
      outbound,
      faults,
      policies,
      jar: () => jar,
    });
    const followers = services.flatMap((service) => service.follows ?? []);
    const feed = createFeed(
      store,
      followers,
      () => clock.now(),
      () => jar,
    );
    const jar: Jar = {
      id: identity.jarId,
      config,
      store,
      clock,
      log,
      metrics,
      vault,
      keys,
      tokens: new Tokens(keys, clock, identity.jarId),
      directory: new Directory(store),
      seedCredentials: seedCredentials(config.host, adminKey),
      addresses,
      providers: groupByNamespace(services.flatMap((service) => service.resourceTypes ?? [])),
      audiences: new Set(services.flatMap((service) => service.audiences ?? []).map(normalAudience)),
      outbound,
      limits,
      delivery,
      feed,
      faults,
      closing: closing.signal,
    };
    const seedWhatIsMissing = (): Promise<void> =>
      seedMissing(store, seed.sections, (tx, missing) => seed.apply(tx, jar, clock.now(), missing));
    await seedWhatIsMissing();

    const opened: OpenService[] = [];
    for (const service of services) {
      if (!service.open) continue;
      const open = await service.open(jar);
      opened.push(open);
      undo.push(() => open.close());
    }

    const standard = observeRequests(jar, VERSION);
    delivery.observe(standard.delivery);
    const handlers = Object.assign({}, delivery.work, feed.work, ...services.map((service) => service.work ?? {}));
    const worker = startWorker({ store, clock, handlers, jar, log, hooks: observeWork(standard) });
    undo.push(() => worker.stop());
    const advance = createAdvance({ store, clock, worker, node: uuid() });

    const forget = async (): Promise<void> => {
      await limits.reset();
      for (const open of opened) await open.stateReplaced?.();
    };
    const reset = async (): Promise<void> => {
      await worker.pause();
      try {
        await store.wipe(async (tx) => {
          const now = await clock.reset(tx);
          await seed.apply(tx, jar, now);
          await noteSeeded(tx, seed.sections);
        });
        await forget();
      } finally {
        worker.resume();
      }
    };
    const restored = async (): Promise<void> => {
      // A snapshot may be from before there was a service.
      await seedWhatIsMissing();
      await forget();
    };
    const snapshots = createSnapshots({
      store,
      clock,
      vault,
      worker,
      version: VERSION,
      collections,
      forget: restored,
      report,
    });
    const control = controlService(adminKey, {
      version: VERSION,
      services,
      advance,
      reset,
      snapshots,
      caCertificate: () => listening.ca(),
      renderMetrics: () => metrics.render(),
    });
    const all = [control, ...services];
    const observe = (finished: Finished): void => {
      standard.finished(finished);
      options.observe?.(finished);
    };
    const app = createServer({ jar, services: all, fallback: services[0] ?? control, observe });
    const webSockets = createSocketServer({ jar, services: all, observe });
    const listening = await listen({ app, webSockets, config, folder, addresses, log });
    undo.push(() => listening.close());
    undo.push(() => closing.abort());
    held?.started();

    return {
      url: listening.url,
      httpsUrl: listening.httpsUrl,
      adminKey,
      folder,
      caPath: listening.caPath,
      jar,
      announcements: opened.flatMap(({ announce }) => announce ?? []),
      ca: () => listening.ca(),
      advance,
      reset,
      snapshots,
      settled: () => worker.idle(),
      close: unwind,
    };
  } catch (error) {
    // What kept the jar from opening says more than what goes wrong while giving up.
    await unwind().catch(() => {});
    throw error;
  }
}

/** Settings under a misspelt name would be without effect, and nobody would know. */
function refuseUnknownServices({ services: settings }: Config, services: readonly Service[]): void {
  const names = services.map(({ name }) => name);
  for (const name of Object.keys(settings)) {
    if (names.includes(name)) continue;
    const meant = didYouMean(name, names);
    const hint = meant === undefined ? `the services are ${names.join(', ')}` : `did you mean '${meant}'?`;
    throw new ConfigError(`services.${name}: there is no such service; ${hint}`);
  }
}

function describeStoredTime(now: number): string {
  const time = new Date(now).toISOString();
  return `the virtual clock goes on from its stored time ${time}; the clock start is for a jar that has none yet`;
}

function describeKey({ secretKey }: Config, held: DataFolder | undefined): string {
  if (secretKey !== undefined) return 'CLOUDJAR_SECRET_KEY';
  return held?.file(SECRET_KEY.name) ?? 'the key of this process';
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
type AnyCollection = Collection<any>;

function collectionsOf(services: readonly Service[]): AnyCollection[] {
  const directory: AnyCollection[] = [tenants, users, applications];
  const kernel: AnyCollection[] = [self, seededSections, signingKeys, ...directory, clockCollection, turnCollection];
  const engines = [
    ...limitCollections,
    ...deliveryCollections,
    ...feedCollections,
    ...faultCollections,
    ...snapshotCollections,
  ];
  const declared = services.flatMap((service) => service.collections ?? []);
  return [...new Set([...kernel, ...engines, ...inboxCollections, ...declared])];
}

async function openStore(
  config: Config,
  file: string | undefined,
  collections: readonly AnyCollection[],
  report: (error: unknown) => void,
): Promise<Store> {
  if (config.databaseUrl === undefined) return openSqlite({ file, collections, report });
  const { openPostgres } = await import('./kernel/store/postgres/store.ts');
  return openPostgres({ url: config.databaseUrl, collections, report });
}
