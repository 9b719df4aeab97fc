/** Runs one round of each contender, one that does not count, and then again: A B, A B, A B. Gives each one's figures. */
export async function takeTurns<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await contenders[name]();
  for (let round = 0; round < rounds; round++) {
    for (const name of names) figures[name].push(await contenders[name]());
  }
  return figures;
}

/** Milliseconds that it took. */
export async function timed(body: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await body();
  return performance.now() - began;
}
