import { Forever, Machine, type Output } from '../../../../src/kernel/engines/simulated/shell/machine.ts';
import { parseScript } from '../../../../src/kernel/engines/simulated/shell/parser.ts';
import { runScript } from '../../../../src/kernel/engines/simulated/shell/run.ts';

export const START = Date.parse('2026-03-01T12:00:00Z');

export interface Ran {
  /** Undefined if the script runs forever. */
  readonly exitCode: number | undefined;
  /** Duration in milliseconds. */
  readonly took: number;
  readonly output: readonly Output[];
  readonly text: string;
  readonly machine: Machine;
}

/** Runs a script to its end, or up to a time after its start. */
export function shell(
  script: string,
  options: {
    env?: Record<string, string>;
    files?: Record<string, string>;
    until?: number;
    interestedFrom?: number;
  } = {},
): Ran {
  const machine = new Machine({
    startedAt: START,
    environment: new Map(Object.entries(options.env ?? {})),
    files: new Map(Object.entries(options.files ?? {})),
    hostname: 'box',
    ...(options.until !== undefined && { until: START + options.until }),
    ...(options.interestedFrom !== undefined && { interestedFrom: START + options.interestedFrom }),
  });
  const output: Output[] = [];
  const running = runScript(parseScript(script), machine);
  let exitCode: number | undefined;
  try {
    for (;;) {
      const { done, value } = running.next();
      if (done) {
        exitCode = value;
        break;
      }
      output.push(value);
    }
  } catch (thrown) {
    if (!(thrown instanceof Forever)) throw thrown;
  }
  return { exitCode, took: machine.time - START, output, text: output.map(({ text }) => text).join(''), machine };
}
