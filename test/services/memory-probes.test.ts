import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { type Bench, onBothStores } from '../support/jars.ts';
import type { MemoryProbe } from '../support/memory-probe.ts';

const files = globSync('*/memory-probe.ts', { cwd: import.meta.dirname });
const modules: { readonly probe: MemoryProbe }[] = await Promise.all(files.map((file) => import(`./${file}`)));
const probes = modules.map(({ probe }) => probe);

it.each(SERVICES.map(({ name }) => name))('%s has a probe of its memory', (name) => {
  expect(probes.map(({ service }) => service)).toContain(name);
});

onBothStores('the memory of all services', (bench) => {
  /** The probe must see what it makes the service remember, or it would prove nothing. */
  async function remembered(probe: MemoryProbe, jar: Bench): Promise<unknown> {
    const before = await probe.look(jar);
    await probe.remember(jar);
    expect(await probe.look(jar), 'what was remembered is seen').not.toEqual(before);
    return before;
  }

  it.each(probes.map((probe) => [probe.service, probe] as const))('%s forgets with a reset', async (_, probe) => {
    const before = await remembered(probe, bench);
    await bench.jar.reset();
    expect(await probe.look(bench)).toEqual(before);
  });

  it.each(probes.map((probe) => [probe.service, probe] as const))('%s forgets with a restore', async (_, probe) => {
    await bench.jar.snapshot('before');
    const before = await remembered(probe, bench);
    await bench.jar.restore('before');
    expect(await probe.look(bench)).toEqual(before);
  });
});
