import { formatDuration } from '../../kernel/time/duration.ts';
import { VERSION } from '../../version.ts';
import { controlClient, type RawAnswer, send } from '../control-client.ts';
import type { FoundJar } from '../find-jar.ts';
import type { JarStatus } from '../running.ts';
import { type Finding, fine, wrong } from './finding.ts';

/** Checks of the jar itself, based on its answers. */

/** Clock skew that TLS and short-lived tokens tolerate. */
const TOLERATED_SKEW_MS = 30_000;

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
      const here = version === VERSION ? '' : ` (this command line is ${VERSION})`;
      return {
        answer,
        finding: fine('jar', `${jar.url} answers: version ${version}${here}, ${store}, ${clock} clock`),
      };
    }
    if (health?.status === 'degraded') {
      const reasons = (health.troubles ?? []).map(({ part, reason }) => `${part}: ${reason}`).join('; ');
      return { answer, finding: wrong('jar', `${jar.url} answers, but ${reasons}`, 'see docs/reference/failures.md') };
    }
    const fix = 'stop that program, or start the jar on another port with --port';
    return { finding: wrong('jar', `the server at ${jar.url} is not a jar (status ${answer.status})`, fix) };
  } catch (error) {
    const other = jar.source === undefined || jar.file ? 'start one with npx cloudjar start' : 'check the address';
    const [detail = '', fix = other] = (error as Error).message.split(/: (?=start one)|; (?=give the jar's folder)/, 2);
    return { finding: wrong('jar', detail, fix) };
  }
}

export interface KeyCheck {
  readonly finding: Finding;
  /** Details that the jar shows to callers with the admin key. */
  readonly status?: JarStatus;
}

export async function checkAdminKey(jar: FoundJar): Promise<KeyCheck> {
  try {
    const status = (await controlClient(jar).get('/_jar/status')) as JarStatus;
    return { finding: fine('admin key', 'accepted'), status };
  } catch (error) {
    const fix = "set CLOUDJAR_ADMIN_KEY to that jar's key, or give its folder with --data";
    return { finding: wrong('admin key', (error as Error).message, fix) };
  }
}

/** The `Date` header uses the clock of the jar's machine; the time in the body uses the jar's clock. */
export function checkClock({ headers, text }: RawAnswer, now: number): Finding {
  const skew = Math.abs(Date.parse(headers.date ?? '') - now);
  if (skew > TOLERATED_SKEW_MS) {
    const detail = `the clock of the jar's machine differs from this one by ${formatDuration(skew)}`;
    return wrong('clock', detail, 'synchronise both with a time server: certificates and tokens depend on it');
  }
  const inJar = (parse(text) as { now?: string } | undefined)?.now ?? '';
  const ahead = Math.round((Date.parse(inJar) - now) / 1000) * 1000;
  const moved =
    Math.abs(ahead) <= TOLERATED_SKEW_MS
      ? ''
      : `, ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this machine`;
  return fine('clock', `the jar's time is ${inJar}${moved}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
