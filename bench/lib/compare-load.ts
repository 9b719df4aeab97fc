import { join } from 'node:path';
import type { CaseContext, Comparison } from './case.ts';
import { type JarProcess, startBare, startJarProcess } from './contenders.ts';
import { busyNote, type Load, type LoadResult, putLoadOn } from './load.ts';
import { takeTurns } from './rounds.ts';
import type { ServerProcess } from './server-process.ts';

export const CONNECTIONS = 32;

/** What to send in a round; rounds count from 0 and differ where they must not write the same names. */
export type LoadOf = (round: number) => Omit<Load, 'connections' | 'seconds'>;

/**
 * Load on the bare program and on the jar in turns. Both are started afresh several times, since where the code of one process
 * comes to lie in memory makes it some percent faster or slower for all its life.
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
    // A clock that stands still counts the gateway's throttles without enforcing them.
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
