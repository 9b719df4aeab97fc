import { expect, it } from 'vitest';
import type { Bench } from './jars.ts';

/**
 * Proves that a service discards its memory when all state is replaced. `itForgets` runs a probe with a reset and with a restored snapshot;
 * one test runs the probes of all services.
 */
export interface MemoryProbe {
  readonly service: string;
  /** Makes the service cache some state in memory. */
  remember(bench: Bench): Promise<void>;
  /**
   * A result that depends on that memory, as seen by a client. Called before `remember` and after the state was replaced; both results must
   * be equal.
   */
  look(bench: Bench): Promise<unknown>;
}

/** Declares the tests of a probe. */
export function itForgets(bench: Bench, probe: MemoryProbe): void {
  it(`${probe.service} forgets with a reset`, async () => {
    const before = await remembered(probe, bench);
    await bench.jar.reset();
    expect(await probe.look(bench)).toEqual(before);
  });

  it(`${probe.service} forgets with a restore`, async () => {
    await bench.jar.snapshot('before');
    const before = await remembered(probe, bench);
    await bench.jar.restore('before');
    expect(await probe.look(bench)).toEqual(before);
  });
}

/** The probe must detect the cached state; otherwise it would prove nothing. */
async function remembered(probe: MemoryProbe, bench: Bench): Promise<unknown> {
  const before = await probe.look(bench);
  await probe.remember(bench);
  expect(await probe.look(bench), 'what was remembered is seen').not.toEqual(before);
  return before;
}
