import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from '../../kernel/config/config.ts';
import { formatDuration } from '../../kernel/time/duration.ts';
import { controlClient, type RawAnswer, send } from '../control-client.ts';
import type { FoundJar } from '../find-jar.ts';

/** What one look found; `fix` says what to do and is there exactly when something is wrong. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

export const fine = (check: string, detail: string): Finding => ({ check, ok: true, detail });
export const wrong = (check: string, detail: string, fix: string): Finding => ({ check, ok: false, detail, fix });

/** The first line that a jar runs on. */
const WANTED_NODE = 24;
/** TLS and tokens with a short life forgive about this much. */
const TOLERATED_SKEW_MS = 30_000;

export function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.', 1)[0]);
  if (major >= WANTED_NODE) return fine('node', `v${version}`);
  return wrong('node', `v${version} is older than ${WANTED_NODE}`, `install Node ${WANTED_NODE} or later`);
}

export function checkFolder(folder: string): Finding {
  if (!existsSync(folder)) {
    const parent = nearestFolder(folder);
    if (mayWrite(parent)) return fine('data folder', `${folder} is not there yet; the first start makes it`);
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
      'change its owner or its rights, or choose another with --data',
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

/** Whether each port that a jar would take can be had; asked when no jar answers. */
export async function checkPorts({ host, port, httpsPort }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [flag, number] of [
    ['--port', port],
    ['--https-port', httpsPort],
  ] as const) {
    const problem = number === 0 ? undefined : await bindProblem(host, number);
    if (problem === undefined) continue;
    findings.push(
      wrong(
        'ports',
        `${number} on ${host} cannot be had (${problem})`,
        `stop what uses it, or choose another with ${flag}`,
      ),
    );
  }
  return findings.length > 0 ? findings : [fine('ports', `${port} and ${httpsPort} on ${host} are free`)];
}

function bindProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}

interface Trouble {
  readonly part: string;
  readonly reason: string;
}

export interface Health {
  readonly finding: Finding;
  readonly answer?: RawAnswer;
}

export async function checkJar(jar: FoundJar): Promise<Health> {
  try {
    const answer = await send(jar, 'GET', '/_jar/health');
    const health = parse(answer.text) as
      | { status?: string; version?: string; store?: string; clock?: string; troubles?: readonly Trouble[] }
      | undefined;
    if (answer.status === 200 && health?.status === 'ready') {
      const { version, store, clock } = health;
      return { answer, finding: fine('jar', `${jar.url} answers: version ${version}, ${store}, ${clock} clock`) };
    }
    if (health?.status === 'degraded') {
      const reasons = (health.troubles ?? []).map(({ part, reason }) => `${part}: ${reason}`).join('; ');
      return { answer, finding: wrong('jar', `${jar.url} answers, but ${reasons}`, 'see docs/failures.md') };
    }
    const fix = 'stop that program, or start the jar on another port with --port';
    return { finding: wrong('jar', `what answers at ${jar.url} is not a jar (status ${answer.status})`, fix) };
  } catch (error) {
    const [detail = '', fix = 'start one with npx cloudjar start'] = (error as Error).message.split(
      /: (?=start one)/,
      2,
    );
    return { finding: wrong('jar', detail, fix) };
  }
}

export async function checkAdminKey(jar: FoundJar): Promise<Finding> {
  try {
    await controlClient(jar).get('/_jar/clock');
    return fine('admin key', 'accepted');
  } catch (error) {
    return wrong('admin key', (error as Error).message, "name the jar's folder with --data, or set CLOUDJAR_ADMIN_KEY");
  }
}

/** A handshake with the CA of the folder as the only one that is trusted. */
export async function checkHttps(jar: FoundJar, httpsUrl: string | undefined): Promise<Finding> {
  const path = join(jar.folder, 'ca.pem');
  if (httpsUrl === undefined) {
    return fine('https', `not looked at: only the jar of a data folder says where it speaks HTTPS`);
  }
  if (!existsSync(path)) return wrong('https', `there is no ${path}`, "name the jar's folder with --data");
  try {
    const served = await send(jar, 'GET', '/_jar/ca.pem');
    if (served.text.trim() !== readFileSync(path, 'utf8').trim()) {
      return wrong(
        'https',
        `${path} is not the CA that the jar uses`,
        'restart the jar, or trust the CA at /_jar/ca.pem',
      );
    }
    await send({ ...jar, url: httpsUrl }, 'GET', '/_jar/health');
    return fine('https', `${httpsUrl} has a certificate of ${path}`);
  } catch (error) {
    return wrong('https', (error as Error).message, `remove ${path} and restart the jar to get a new CA`);
  }
}

/** The `Date` header goes by the clock of the jar's machine, the time in the body by the jar's own. */
export function checkClock({ headers, text }: RawAnswer, now: number): Finding {
  const skew = Math.abs(Date.parse(headers.date ?? '') - now);
  if (skew > TOLERATED_SKEW_MS) {
    const detail = `the clock of the jar's machine differs from this one by ${formatDuration(skew)}`;
    return wrong('clock', detail, 'set both by a time server: certificates and tokens depend on it');
  }
  const inJar = (parse(text) as { now?: string } | undefined)?.now ?? '';
  const ahead = Math.round((Date.parse(inJar) - now) / 1000) * 1000;
  const moved =
    Math.abs(ahead) <= TOLERATED_SKEW_MS
      ? ''
      : `, ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this machine`;
  return fine('clock', `it is ${inJar} in the jar${moved}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
