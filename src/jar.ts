import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { controlService } from './control/index.ts';
import { secretFile } from './data-folder.ts';
import { bucketsOf } from './kernel/arm/throttle.ts';
import { groupByNamespace } from './kernel/arm/providers.ts';
import { normalAudience } from './kernel/auth/audience.ts';
import { applications, Directory, tenants, users } from './kernel/auth/directory.ts';
import { SigningKeys, signingKeys } from './kernel/auth/keys.ts';
import { Tokens } from './kernel/auth/tokens.ts';
import { Vault } from './kernel/auth/vault.ts';
import { clockCollection, openClock } from './kernel/clock/index.ts';
import type { AdvanceResult } from './kernel/clock/types.ts';
import type { Config } from './kernel/config.ts';
import { createServer } from './kernel/http/server.ts';
import { uuid } from './kernel/ids.ts';
import type { Addresses, Jar } from './kernel/jar-context.ts';
import type { Service } from './kernel/service.ts';
import { collection } from './kernel/store/collection.ts';
import { openFolder } from './kernel/store/folder.ts';
import { openSqlite } from './kernel/store/index.ts';
import type { Collection, Store } from './kernel/store/types.ts';
import { createLogger, type LogLevel } from './kernel/telemetry/log.ts';
import { createMetrics } from './kernel/telemetry/metrics.ts';
import { createAdvance, startWorker, turnCollection } from './kernel/work/index.ts';
import { listen } from './listen.ts';
import { observeRequests, observeWork } from './observe.ts';
import { loadSeed } from './seed.ts';
import { SERVICES } from './services.ts';
import { VERSION } from './version.ts';

export interface JarOptions {
  readonly config: Config;
  readonly services?: readonly Service[];
  /** Inside another program: nothing is written to disk, and nothing is logged unless asked for. */
  readonly inProcess?: boolean;
  readonly logLevel?: LogLevel;
}

export interface RunningJar {
  readonly url: string;
  readonly httpsUrl: string;
  readonly adminKey: string;
  /** The data folder, if there is one. */
  readonly folder: string | undefined;
  readonly jar: Jar;
  ca(): Promise<string>;
  advance(by: string | number): Promise<AdvanceResult>;
  reset(): Promise<void>;
  /** Resolves when nothing is due or running. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What the jar knows of itself; one id for all nodes on one store. */
const self = collection<{ jarId: string; seeded: boolean }>('kernel.self', { permanent: true });

/** Makes a running jar out of a configuration: opens the state, seeds it when empty, listens. */
export async function openJar(options: JarOptions): Promise<RunningJar> {
  const { config, inProcess = false } = options;
  const services = options.services ?? SERVICES;
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const unwind = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const log = createLogger({ level: options.logLevel ?? (inProcess ? 'silent' : config.logLevel) });
    undo.push(() => log.flush());
    const seed = await loadSeed(services, config.seed);
    const folder = inProcess ? undefined : config.data;
    const ownsFolder = folder !== undefined && !config.memory && config.databaseUrl === undefined;
    if (ownsFolder) {
      const held = await openFolder(folder);
      undo.push(() => held.release());
    }
    const master = folder === undefined ? undefined : await secretFile(folder, 'secret.key', () => randomBytes(32).toString('base64url'));
    const vault = new Vault(master === undefined ? randomBytes(32) : Buffer.from(master, 'base64url'));
    const adminKey = config.adminKey ?? (folder === undefined ? newAdminKey() : await secretFile(folder, 'admin.key', newAdminKey));

    const store = await openStore(config, ownsFolder ? join(folder, 'jar.db') : undefined, collectionsOf(services));
    undo.push(() => store.close());
    const clock = await openClock({ mode: config.clock, start: config.clockStart, store });
    undo.push(() => clock.close());
    const closing = new AbortController();
    const metrics = createMetrics();
    const keys = new SigningKeys(store, clock, vault);
    const addresses: Addresses = { httpPort: 0, httpsPort: 0 };
    const identity = await identify(store);
    const jar: Jar = {
      config,
      store,
      clock,
      log,
      metrics,
      vault,
      keys,
      tokens: new Tokens(keys, clock, identity.jarId),
      directory: new Directory(store),
      addresses,
      providers: groupByNamespace(services.flatMap((service) => service.resourceTypes ?? [])),
      audiences: new Set(services.flatMap((service) => service.audiences ?? []).map(normalAudience)),
      closing: closing.signal,
    };
    if (!identity.seeded) await seedOnce(store, (tx) => seed.apply(tx, jar));

    const standard = observeRequests(jar, VERSION);
    const handlers = Object.assign({}, ...services.map((service) => service.work ?? {}));
    const worker = startWorker({ store, clock, handlers, jar, log, hooks: observeWork(standard) });
    undo.push(() => worker.stop());
    const advance = createAdvance({ store, clock, worker, node: uuid() });

    const reset = async (): Promise<void> => {
      await worker.pause();
      try {
        await store.wipe(async (tx) => {
          await clock.reset(tx);
          await seed.apply(tx, jar);
        });
        bucketsOf(jar).clear();
      } finally {
        worker.resume();
      }
    };
    const control = controlService(adminKey, {
      version: VERSION,
      services,
      advance,
      reset,
      caCertificate: () => listening.ca(),
      renderMetrics: () => metrics.render(),
    });
    const all = [control, ...services];
    const app = createServer({ jar, services: all, fallback: services[0] ?? control, observe: standard.finished });
    const listening = await listen({ app, config, folder, addresses, log });
    undo.push(() => listening.close());
    undo.push(() => closing.abort());

    return {
      url: listening.url,
      httpsUrl: listening.httpsUrl,
      adminKey,
      folder,
      jar,
      ca: () => listening.ca(),
      advance,
      reset,
      settled: () => worker.idle(),
      close: unwind,
    };
  } catch (error) {
    await unwind();
    throw error;
  }
}

const newAdminKey = (): string => `jar_${randomBytes(24).toString('base64url')}`;

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
type AnyCollection = Collection<any>;

function collectionsOf(services: readonly Service[]): AnyCollection[] {
  const kernel: AnyCollection[] = [self, signingKeys, tenants, users, applications, clockCollection, turnCollection];
  return [...new Set([...kernel, ...services.flatMap((service) => service.collections ?? [])])];
}

async function openStore(config: Config, file: string | undefined, collections: readonly AnyCollection[]): Promise<Store> {
  if (config.databaseUrl === undefined) return openSqlite({ file, collections });
  const { openPostgres } = await import('./kernel/store/postgres/store.ts');
  return openPostgres({ url: config.databaseUrl, collections });
}

const SELF = 'self';

async function identify(store: Store): Promise<{ jarId: string; seeded: boolean }> {
  const known = await store.get(self, SELF);
  if (known) return known.value;
  return store.transact(async (tx) => {
    await tx.lock('kernel.self');
    const other = await tx.get(self, SELF);
    return other?.value ?? (await tx.put(self, SELF, { jarId: uuid(), seeded: false })).value;
  });
}

/** Several nodes may start on an empty database at once; one of them seeds it. */
async function seedOnce(store: Store, apply: Parameters<Store['wipe']>[0]): Promise<void> {
  await store.transact(async (tx) => {
    await tx.lock('kernel.self');
    const current = (await tx.get(self, SELF))?.value;
    if (!current || current.seeded) return;
    await apply(tx);
    await tx.put(self, SELF, { ...current, seeded: true });
  });
}
