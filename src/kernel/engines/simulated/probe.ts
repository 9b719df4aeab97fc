import type { ProbePlan } from '../plan.ts';
import type { ProbeOutcome } from '../types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { Inside } from './inside.ts';
import { begin, endOf, programOf } from './process.ts';
import { nextDeed } from './volumes.ts';

const HEALTHY: ProbeOutcome = { healthy: true };
/** What a command may ask for that is another thing at another time. */
const ASKS_FOR_THE_TIME = /\bdate\b|SECONDS/;
const unhealthy = (reason: string): ProbeOutcome => ({ healthy: false, reason });

/** What a probe of a running container finds. It takes no time, unless the image says so. */
export function probeOf(
  container: SimulatedContainer,
  /** With its files as they are now. */
  inside: Inside,
  check: ProbePlan['check'],
  timing: { readonly now: number; readonly timeoutMs: number },
): ProbeOutcome {
  const { now, timeoutMs } = timing;
  const { probes } = behaviourOf(container.image, container.run);
  const age = now - container.startedAt;
  if (probes?.kind === 'failFrom' && age >= probes.ms) return unhealthy('the image is unhealthy by now');
  if (probes?.kind === 'failUntil' && age < probes.ms) return unhealthy('the image is not ready yet');
  if (probes?.kind === 'take' && probes.ms > timeoutMs) return unhealthy(`no answer within ${timeoutMs} ms`);
  if (probes) return HEALTHY;
  return check.kind === 'httpGet'
    ? probePort(container, check.port)
    : probeCommand(inside, check.command, now, timeoutMs);
}

/** For how long what a probe found stays so; undefined where others have a say in it. */
export function lastsUntil(
  container: SimulatedContainer,
  /** As it was at its start. */
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
  return nextDeed(container, inside, now);
}

function probePort({ serves, ports }: SimulatedContainer, port: number): ProbeOutcome {
  const listens = serves && (ports.length === 0 || ports.includes(port));
  return listens ? HEALTHY : unhealthy(`connection refused: nothing listens on port ${port}`);
}

/** A command that is not known is taken to find everything in order. */
function probeCommand(inside: Inside, command: readonly string[], now: number, timeoutMs: number): ProbeOutcome {
  const process = begin(programOf(command, {}), inside, { startedAt: now, until: now + timeoutMs, onlyItsEnd: true });
  const end = endOf(process);
  if (!end && process.machine.unknown !== undefined) return HEALTHY;
  if (!end) return unhealthy(`the command did not end within ${timeoutMs} ms`);
  return end.exitCode === 0 ? HEALTHY : unhealthy(`the command ended with exit code ${end.exitCode}`);
}
