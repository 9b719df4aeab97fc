import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import type { PlatformJar } from '../jar.ts';
import { settingsOf } from '../settings.ts';

/** Durations on the real platform. No source publishes them; these are typical values. */
const REAL_MS = {
  /** Includes new machines from the cloud; machines of a pool already exist. */
  start: 4 * MINUTE_MS,
  startFromPool: 1 * MINUTE_MS,
  restart: 2 * MINUTE_MS,
  resize: 2 * MINUTE_MS,
  terminate: 1 * MINUTE_MS,
  /** A library is resolved, then downloaded, then installed on all nodes. */
  libraryResolve: 5 * SECOND_MS,
  libraryDownload: 10 * SECOND_MS,
  libraryInstall: 30 * SECOND_MS,
  warehouseStart: 2 * MINUTE_MS,
  warehouseStartServerless: 5 * SECOND_MS,
  warehouseStop: 30 * SECOND_MS,
  workspaceProvision: 4 * MINUTE_MS,
  servingUpdate: 5 * MINUTE_MS,
  /** Models of external providers need no machines. */
  servingExternalUpdate: 5 * SECOND_MS,
  servingScaleUp: 30 * SECOND_MS,
  appStart: 2 * MINUTE_MS,
  appStop: 30 * SECOND_MS,
  appDeploy: 2 * MINUTE_MS,
  appUpdate: 1 * MINUTE_MS,
  appDelete: 1 * MINUTE_MS,
  /** An update of a pipeline takes three minutes, and ten seconds more if tables are reset. */
  updateCreate: 5 * SECOND_MS,
  updateResources: 55 * SECOND_MS,
  updateInitialize: 30 * SECOND_MS,
  updateReset: 10 * SECOND_MS,
  updateSetUp: 20 * SECOND_MS,
  updateRun: 70 * SECOND_MS,
  updateStop: 10 * SECOND_MS,
  privateEndpoint: 2 * MINUTE_MS,
  cleanRoom: 5 * MINUTE_MS,
} as const;

export type MachineStep = keyof typeof REAL_MS;

/** Short, since users should not wait for minutes in a jar whose clock runs at real speed. */
const USUAL_START_SECONDS = 2;

export type TimingJar = Pick<PlatformJar, 'config'>;

/** Duration of a step by the jar's clock: the setting gives the start of a cluster, all other steps are proportional to it. */
export function machineMs(jar: TimingJar, step: MachineStep): number {
  const { clusterStartSeconds = USUAL_START_SECONDS } = settingsOf(jar);
  return Math.ceil((REAL_MS[step] * clusterStartSeconds * SECOND_MS) / REAL_MS.start);
}

/** How long a terminated cluster stays in lists, and how long it can be found by id. */
export const LISTED_MS = 30 * DAY_MS;
export const KEPT_MS = 60 * DAY_MS;

/** Maximum pinned clusters of a workspace. */
export const MOST_PINNED = 100;
