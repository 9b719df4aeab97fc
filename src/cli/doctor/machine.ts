import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { type Config, SETTINGS } from '../../kernel/config/config.ts';
import { type Finding, fine, wrong } from './finding.ts';

/** Checks of this machine, for a jar that runs or should run on it. */

/** Minimum Node major version of the jar. */
const WANTED_NODE = 24;
/** More than a database grows in a day of tests; below it, the next write may fail. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;

export function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.', 1)[0]);
  if (major >= WANTED_NODE) return fine('node', `v${version}`);
  return wrong('node', `v${version} is older than ${WANTED_NODE}`, `install Node ${WANTED_NODE} or later`);
}

export function checkFolder(folder: string): Finding {
  if (!existsSync(folder)) {
    const parent = nearestFolder(folder);
    if (mayWrite(parent)) return fine('data folder', `${folder} does not exist yet; the first start creates it`);
    return wrong(
      'data folder',
      `${folder} cannot be made`,
      `allow writing to ${parent}, or choose another with --data`,
    );
  }
  if (!mayWrite(folder)) {
    return wrong(
      'data folder',
      `${folder} cannot be written to`,
      'change its owner or permissions, or choose another with --data',
    );
  }
  if (!existsSync(join(folder, 'cloudjar.json'))) {
    return wrong('data folder', `${folder} does not belong to a jar`, 'choose another with --data, or an empty one');
  }
  return fine('data folder', folder);
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Free space on the disk of the data folder, or of the folder in which it would be created. */
export function checkDisk(folder: string, statOf: typeof statfsSync = statfsSync): Finding {
  const { bavail, bsize } = statOf(nearestFolder(folder));
  const free = bavail * bsize;
  const shown = free < 1e9 ? `${Math.floor(free / 1e6)} MB` : `${(free / 1e9).toFixed(1)} GB`;
  if (free >= LEAST_FREE_BYTES) return fine('disk', `${shown} are free`);
  return wrong(
    'disk',
    `only ${shown} are free on the disk of ${folder}`,
    'make room, or choose another folder with --data',
  );
}

/** Checks that each port of the jar is free; only called if no jar answers. */
export async function checkPorts({ host, port, httpsPort, smtpPort }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const free: number[] = [];
  let note = '';
  for (const [flag, number] of [
    ['--port', port],
    ['--https-port', httpsPort],
    ['--smtp-port', smtpPort],
  ] as const) {
    const problem = number === 0 ? undefined : await bindProblem(host, number);
    if (problem === undefined) {
      free.push(number);
      continue;
    }
    if (flag === '--smtp-port' && number === SETTINGS.smtpPort.default && problem === 'EADDRINUSE') {
      note = `; mail gets a free port, because ${number} is in use`;
      continue;
    }
    findings.push(
      wrong(
        'ports',
        `${number} on ${host} is not available (${problem})`,
        `stop the program that uses it, or choose another with ${flag}`,
      ),
    );
  }
  const names = [free.slice(0, -1).join(', '), free.at(-1)].filter(Boolean).join(' and ');
  return findings.length > 0 ? findings : [fine('ports', `${names} on ${host} are free${note}`)];
}

function bindProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}
