import { usedLinks } from '../control/console/collections.ts';
import { inboxCollections } from '../control/inbox/collections.ts';
import { applications, tenants, users } from '../kernel/auth/directory.ts';
import { SigningKeys, signingKeys } from '../kernel/auth/keys.ts';
import { signIns } from '../kernel/auth/sign-ins.ts';
import { Vault } from '../kernel/auth/vault.ts';
import { clockCollection, openClock } from '../kernel/clock/index.ts';
import type { JarClock } from '../kernel/clock/types.ts';
import type { Config } from '../kernel/config/config.ts';
import { deliveryCollections, deliveryWork } from '../kernel/delivery/index.ts';
import { faultCollections } from '../kernel/faults/index.ts';
import { feedCollections, feedWork } from '../kernel/feed/index.ts';
import { limitCollections } from '../kernel/limits/index.ts';
import type { Service } from '../kernel/service/service.ts';
import { snapshotCollections } from '../kernel/snapshots/index.ts';
import { type DataFolder, openFolder } from '../kernel/store/folder.ts';
import { openPostgres, openSqlite, type SqliteOptions } from '../kernel/store/index.ts';
import type { StoreOptions } from '../kernel/store/options.ts';
import { guardTransactions } from '../kernel/store/transaction-guard.ts';
import type { Collection, Store, StoreHealth } from '../kernel/store/types.ts';
import type { Logger } from '../kernel/telemetry/log.ts';
import { mutexCollection, type WorkKind } from '../kernel/work/index.ts';
import { VERSION } from '../version.ts';
import { ADMIN_KEY, DATABASE, refuseEmptiedDatabase, SECRET_KEY, type SecretFile, secretFile } from './data-folder.ts';
import { identify, type Self, seededSections, self } from './self.ts';
import type { Undo } from './undo.ts';

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
type AnyCollection = Collection<any>;

/** The parts that outlive a process: the data folder with its keys, the store, and the clock. */
export interface JarState {
  readonly folder: DataFolder | undefined;
  readonly vault: Vault;
  readonly adminKey: string;
  readonly collections: readonly AnyCollection[];
  // biome-ignore lint/suspicious/noExplicitAny: kinds with any payload are kept side by side
  readonly work: readonly WorkKind<any>[];
  readonly store: Store;
  readonly clock: JarClock;
  readonly identity: Self;
  /** Damage or loss found in the stored data; grows while a file is being checked. */
  readonly damages: readonly string[];
  readonly keys: SigningKeys;
  /** Receives errors of background work. */
  readonly report: (error: unknown) => void;
}

export interface StateOptions {
  readonly config: Config;
  /** Undefined: nothing is written to disk. */
  readonly folder: string | undefined;
  readonly services: readonly Service[];
  readonly log: Logger;
}

export async function openState({ config, folder, services, log }: StateOptions, undo: Undo): Promise<JarState> {
  const report = (error: unknown): void => log.error({ err: error }, 'background work failed');
  const exclusive = !config.memory && config.databaseUrl === undefined;
  const held = folder === undefined ? undefined : await openFolder(folder, { exclusive, release: VERSION });
  undo.add('releasing the data folder', () => held?.release());
  const secret = (file: SecretFile): string | Promise<string> =>
    held ? secretFile(held.path, file, (message) => log.warn(message)) : file.make();
  const vault = new Vault(Buffer.from(config.secretKey ?? (await secret(SECRET_KEY)), 'base64url'));
  const adminKey = config.adminKey ?? (await secret(ADMIN_KEY));

  const collections = collectionsOf(services);
  const work = [...deliveryWork, ...feedWork, ...services.flatMap((service) => service.work ?? [])];
  if (exclusive && held) await refuseEmptiedDatabase(held.path);
  const file = exclusive ? held?.file(DATABASE) : undefined;
  const damages: string[] = [];
  const damaged = (reason: string): void => {
    damages.push(reason);
    log.error(
      `${reason}, in ${held?.path}; restore a copy of the data folder, or take a snapshot of the remaining data and start over`,
    );
  };
  const store = guardTransactions(
    await openStore(config, { file, damaged }, log, { collections, work, release: VERSION, report }),
  );
  undo.add('closing the store', () => store.close());
  const clock = await openClock({ mode: config.clock, start: config.clockStart, store, onError: report });
  undo.add('stopping the clock', () => clock.close());
  if (config.clockStart !== undefined && clock.now() !== config.clockStart) log.warn(describeStoredTime(clock.now()));
  const identity = await identify(store, vault, describeKey(config, held));
  const keys = new SigningKeys(store, clock, vault);
  await keys.check(file ?? 'the database');
  return { folder: held, vault, adminKey, collections, work, store, clock, identity, keys, damages, report };
}

function describeStoredTime(now: number): string {
  const time = new Date(now).toISOString();
  return `the virtual clock continues from its stored time ${time}; the clock start applies only to a jar without a stored time`;
}

function describeKey({ secretKey }: Config, held: DataFolder | undefined): string {
  if (secretKey !== undefined) return 'CLOUDJAR_SECRET_KEY';
  return held?.file(SECRET_KEY.name) ?? 'the key of this process';
}

function collectionsOf(services: readonly Service[]): AnyCollection[] {
  const directory: AnyCollection[] = [tenants, users, applications, signIns];
  const kernel: AnyCollection[] = [self, seededSections, signingKeys, ...directory, clockCollection, mutexCollection];
  const engines = [
    ...limitCollections,
    ...deliveryCollections,
    ...feedCollections,
    ...faultCollections,
    ...snapshotCollections,
  ];
  const declared = services.flatMap(({ collections = [], settings }) =>
    settings?.changeable ? [...collections, settings.changeable.changed] : collections,
  );
  return [...new Set([...kernel, ...engines, ...inboxCollections, usedLinks, ...declared])];
}

async function openStore(
  { databaseUrl: url, databaseTimeoutMs: silenceMs, databaseQueue: queue }: Config,
  { file, damaged }: Pick<SqliteOptions, 'file' | 'damaged'>,
  log: Logger,
  options: StoreOptions,
): Promise<Store> {
  if (url === undefined) return openSqlite({ ...options, file, damaged });
  const healthChanged = (health: StoreHealth): void => {
    if (health.reachable) log.info('the database answers again');
    else log.error(`calls are refused until the database answers again: ${health.detail}`);
  };
  return openPostgres({ ...options, url, silenceMs, queue, healthChanged });
}
