import { join } from 'node:path';
import type { CaseContext, Comparison } from './case.ts';
import { type JarProcess, startBare, startJarProcess } from './contenders.ts';
import { busyNote, type Load, type LoadResult, putLoadOn } from './load.ts';
import { takeTurns } from './rounds.ts';
import type { ServerProcess } from './server-process.ts';

export const CONNECTIONS = 32;

/** The requests of a round. Rounds count from 0 and differ if they must not write the same names. */
export type LoadOf = (round: number) => Omit<Load, 'connections' | 'seconds'>;

/**
 * Loads the bare program and the jar in turns. Both are restarted several times, because the memory layout of its code makes a process some
 * percent faster or slower for its whole life.
 */
export async function compareLoad(
  { quick, folder, say }: CaseContext,
  prepare: (jar: JarProcess, bare: ServerProcess) => Promise<Record<'bare' | 'jar', LoadOf>>,
  flags: readonly string[] = [],
): Promise<Pick<Comparison, 'baseline' | 'subject' | 'note'>> {
  const [launches, warmUps, rounds, seconds] = quick ? [1, 1, 2, 2] : [3, 3, 3, 5];
  const results: Record<'bare' | 'jar', LoadResult[]> = { bare: [], jar: [] };
  const figures: Record<'bare' | 'jar', number[]> = { bare: [], jar: [] };
  for (let launch = 1; launch <= launches; launch++) {
    say(`launch ${launch} of ${launches}`);
    // A virtual clock counts the gateway's throttles without enforcing them.
    const jar = await startJarProcess(join(folder, `jar-${launch}`), ['--clock', 'virtual', ...flags]);
    const bare = await startBare(join(folder, `bare-${launch}`));
    const loads = await prepare(jar, bare);
    const played = { bare: 0, jar: 0 };
    const round = (name: 'bare' | 'jar', server: ServerProcess) => async (): Promise<number> => {
      const load = loads[name](played[name]++);
      const result = await putLoadOn(server, { ...load, connections: CONNECTIONS, seconds });
      if (played[name] > warmUps) results[name].push(result);
      return result.perSecond;
    };
    const turns = await takeTurns(rounds, { bare: round('bare', bare), jar: round('jar', jar) }, { warmUps });
    figures.bare.push(...turns.bare);
    figures.jar.push(...turns.jar);
    await Promise.all([jar.stop(), bare.stop()]);
  }
  return {
    baseline: { name: 'bare program', values: figures.bare },
    subject: { name: 'jar', values: figures.jar },
    note: busyNote(results),
  };
}
