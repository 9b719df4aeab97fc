import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { onBothStores } from '../support/jars.ts';
import { itForgets, type MemoryProbe } from '../support/memory-probe.ts';

const files = globSync('*/memory-probe.ts', { cwd: import.meta.dirname });
const modules: { readonly probe: MemoryProbe }[] = await Promise.all(files.map((file) => import(`./${file}`)));
const probes = modules.map(({ probe }) => probe);

it.each(SERVICES.map(({ name }) => name))('%s has a probe of its memory', (name) => {
  expect(probes.map(({ service }) => service)).toContain(name);
});

onBothStores('the memory of all services', (bench) => {
  for (const probe of probes) itForgets(bench, probe);
});
