import type { Controls } from '../control/controls.ts';
import type { AdvanceResult } from '../kernel/clock/types.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Finished, ServerOptions } from '../kernel/http/server.ts';
import { ServiceHost } from '../kernel/service/host.ts';
import type { Jar } from '../kernel/service/jar.ts';
import type { Announcement, Service } from '../kernel/service/service.ts';
import type { Snapshots } from '../kernel/snapshots/index.ts';
import { type LineStyle, readableStyle } from '../kernel/telemetry/colours.ts';
import { createLogger, type LogLevel, type LogStream } from '../kernel/telemetry/log.ts';
import { RequestLog } from '../kernel/telemetry/request-log.ts';
import { wallNow } from '../kernel/time/timers.ts';
import { loadAuthority } from '../kernel/tls/authority.ts';
import { wantedNames } from '../kernel/tls/names.ts';
import { previewAdvance } from '../kernel/work/index.ts';
import { SERVICES } from '../services.ts';
import { VERSION } from '../version.ts';
import { openEngines } from './engines.ts';
import { observeRequests } from './observe.ts';
import { run } from './run.ts';
import { loadSeed } from './seed.ts';
import { serve } from './serve.ts';
import { checkSettings, refuseUnknownServices } from './settings.ts';
import { openState } from './state.ts';
import { Undo } from './undo.ts';

export interface JarOptions {
  readonly config: Config;
  readonly services?: readonly Service[];
  /** Inside another program: nothing is written to disk, and nothing is logged by default. */
  readonly inProcess?: boolean;
  readonly logLevel?: LogLevel;
  /** Default: standard error. */
  readonly logStream?: LogStream;
  /** Ends the program that runs the jar, for `POST /_jar/stop`; undefined if only that program may do so. */
  readonly stop?: () => void;
  /** Called for every answered request. */
  readonly observe?: (finished: Finished) => void;
}

export interface RunningJar {
  readonly url: string;
  readonly httpsUrl: string;
  readonly adminKey: string;
  /** By the system clock. */
  readonly startedAt: string;
  /** The data folder, if there is one. */
  readonly folder: string | undefined;
  /** The file of the CA certificate that HTTPS clients must trust; undefined if it is only in memory. */
  readonly caPath: string | undefined;
  readonly jar: Jar;
  /** Messages of the services for the start. */
  readonly announcements: readonly Announcement[];
  ca(): Promise<string>;
  advance(by: string | number): Promise<AdvanceResult>;
  reset(): Promise<void>;
  readonly snapshots: Snapshots;
  /** Resolves when no work is due or running. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a jar from a configuration: opens the state, seeds it if it is empty, and listens. */
export async function openJar(options: JarOptions): Promise<RunningJar> {
  const undo = new Undo();
  try {
    return await open(options, undo);
  } catch (error) {
    // The error of the opening is more useful than errors of the cleanup.
    await undo.run(options.config.shutdownTimeoutMs).catch(() => {});
    throw error;
  }
}

async function open(options: JarOptions, undo: Undo): Promise<RunningJar> {
  const { config, services = SERVICES, inProcess = false } = options;
  const { logStream } = options;
  const level = options.logLevel ?? (inProcess ? 'silent' : config.logLevel);
  // A given stream is a file, as for a jar in the background, and gets JSON.
  const readable = level === 'silent' || logStream ? undefined : readableOn(config);
  const log = createLogger({ level, readable, ...(logStream && { stream: logStream }) });
  undo.add('writing the log', () => log.flush());
  const folder = inProcess ? undefined : config.data;
  const closing = new AbortController();

  refuseUnknownServices(config, services);
  const seed = await loadSeed(services, config.seed);
  const host = new ServiceHost(services, config.namespace);
  const state = await openState({ config, folder, services, log }, undo);
  const authority = loadAuthority(folder, { names: () => wantedNames(config.host, [], config.publicUrl), wallNow });
  const jar = await openEngines({ config, state, host, log, closing: closing.signal, authority }, undo);
  await checkSettings(jar, services);
  const requests = new RequestLog();
  const observer = observeRequests(jar, VERSION, requests);
  const running = await run({ state, jar, host, seed, observer }, undo);
  const { worker, snapshots, advance, reset } = running;
  const { adminKey } = state;
  const startedAt = new Date(wallNow()).toISOString();
  const controls: Controls = {
    version: VERSION,
    process: { pid: process.pid, startedAt, folder },
    ...(options.stop && { stop: options.stop }),
    host,
    advance,
    preview: (to, limit) => previewAdvance(to, limit, { store: jar.store, clock: jar.clock, worker }),
    workKinds: new Map(state.work.map((kind) => [kind.kind, kind])),
    settled: () => worker.idle(),
    reset,
    snapshots,
    caCertificate: async () => authority.caPem,
    renderMetrics: () => jar.metrics.render(),
    requests,
  };
  const observe: ServerOptions['observe'] = (finished) => {
    const noted = observer.finished(finished);
    options.observe?.(finished);
    return noted;
  };
  const { dropped } = observer;
  const listening = await serve({ config, jar, host, adminKey, controls, folder, authority, observe, dropped }, undo);
  undo.add('telling the requests', () => closing.abort());
  state.folder?.started();

  return {
    url: listening.url,
    httpsUrl: listening.httpsUrl,
    adminKey,
    startedAt,
    folder,
    caPath: listening.caPath,
    jar,
    announcements: host.announcements,
    ca: listening.ca,
    advance,
    reset,
    snapshots,
    settled: () => worker.idle(),
    close: () => undo.run(config.shutdownTimeoutMs),
  };
}

/** The style for people, if stderr is meant for people. A closed stderr must not stop the jar. */
function readableOn({ logFormat }: Config): (() => LineStyle) | undefined {
  const { stderr } = process;
  const readable = readableStyle(logFormat, stderr, process.env);
  if (readable && stderr.listenerCount('error') === 0) stderr.on('error', () => {});
  return readable;
}
