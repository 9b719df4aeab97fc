import { USUAL_SECONDS } from '../running/program.ts';
import type { Execution } from '../task-run.ts';

/** Exit codes of a shell for an unknown command and for a syntax error. */
const UNKNOWN_TO_SHELL: readonly number[] = [127, 2];

const SHELL_INFO =
  'Simulated: no program was run. The simulated shell knows a few commands and no pipes; other commands need a container engine with an image for them.';
const PAUSE_INFO = `Simulated: the program has no simulation script, so it took ${USUAL_SECONDS} seconds and wrote nothing. Lines such as "# cloudjar: echo done; exit 1" in a program, or a member "cloudjar" of other tasks, define what the simulated shell runs in its place.`;

/** Explains why a simulated program wrote nothing, or failed. */
export function simulationInfo(execution: Execution | undefined): string | undefined {
  if (execution?.by !== 'simulation') return undefined;
  if (execution.isPause) return PAUSE_INFO;
  return UNKNOWN_TO_SHELL.includes(execution.exitCode) ? SHELL_INFO : undefined;
}
