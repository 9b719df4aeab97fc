import type { ProbePlan } from '../plan.ts';
import type { ProbeOutcome } from '../types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { Inside } from './inside.ts';
import { begin, endOf, programOf } from './process.ts';
import { nextActivity } from './volumes.ts';

const HEALTHY: ProbeOutcome = { healthy: true };
/** Parts of a command whose result depends on the time. */
const ASKS_FOR_THE_TIME = /\bdate\b|SECONDS/;
const unhealthy = (reason: string): ProbeOutcome => ({ healthy: false, reason });

/** Outcome of a probe of a running container. It takes no time, unless the image simulates that. */
export function probeOf(
  container: SimulatedContainer,
  /** With the current files. */
  inside: Inside,
  check: ProbePlan['check'],
  timing: { readonly now: number; readonly timeoutMs: number },
): ProbeOutcome {
  const { now, timeoutMs } = timing;
  const { probes } = behaviourOf(container.image, container.run);
  const age = now - container.startedAt;
  if (probes?.kind === 'failFrom' && age >= probes.ms) return unhealthy('the image is unhealthy by now');
  if (probes?.kind === 'failUntil' && age < probes.ms) return unhealthy('the image is not ready yet');
  if (probes?.kind === 'take' && probes.ms > timeoutMs) return unhealthy(`no response within ${timeoutMs} ms`);
  if (probes) return HEALTHY;
  return check.kind === 'httpGet'
    ? probePort(container, check.port)
    : probeCommand(inside, check.command, now, timeoutMs);
}

/** Until when the outcome of a probe stays the same; undefined if other containers or the time can change it. */
export function outcomeValidUntil(
  container: SimulatedContainer,
  /** With the files at its start. */
  inside: Inside,
  check: ProbePlan['check'],
  now: number,
): number | undefined {
  const { probes } = behaviourOf(container.image, container.run);
  if (probes) {
    const turn = container.startedAt + probes.ms;
    return probes.kind !== 'take' && turn > now ? turn : Number.POSITIVE_INFINITY;
  }
  if (check.kind === 'httpGet') return Number.POSITIVE_INFINITY;
  if (Object.keys(inside.shared).length > 0 || ASKS_FOR_THE_TIME.test(check.command.join(' '))) return undefined;
  return nextActivity(container, inside, now);
}

function probePort({ serves, ports }: SimulatedContainer, port: number): ProbeOutcome {
  const listens = serves && (ports.length === 0 || ports.includes(port));
  return listens ? HEALTHY : unhealthy(`connection refused: nothing listens on port ${port}`);
}

/** A probe with an unknown command succeeds. */
function probeCommand(inside: Inside, command: readonly string[], now: number, timeoutMs: number): ProbeOutcome {
  const process = begin(programOf(command, {}), inside, { startedAt: now, until: now + timeoutMs, onlyItsEnd: true });
  const end = endOf(process);
  if (!end && process.machine.unknown !== undefined) return HEALTHY;
  if (!end) return unhealthy(`the command did not end within ${timeoutMs} ms`);
  return end.exitCode === 0 ? HEALTHY : unhealthy(`the command ended with exit code ${end.exitCode}`);
}
