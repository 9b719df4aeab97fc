/**
 * Runs the contenders in turns (A B, A B, A B) after warm-up rounds that are not counted. Returns the figures of each. One warm-up round
 * fills the caches; a server under load needs more until its code is fully optimised.
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
  { warmUps = 1 } = {},
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of names) {
      const figure = await contenders[name]();
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** Duration in milliseconds. */
export async function timed(body: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await body();
  return performance.now() - began;
}
