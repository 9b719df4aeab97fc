import type { GroupEngine } from '../../kernel/engines/index.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { News } from './runtime/news.ts';
import type { Outage } from './runtime/outage.ts';

/** What the service remembers while the jar is open. Made by `openContainers` alone. */
export interface ContainersMemory {
  /** What runs the groups. */
  readonly engine: GroupEngine;
  readonly news: News;
  readonly outage: Outage;
}

const ofJars = new WeakMap<Jar, ContainersMemory>();

export function remember(jar: Jar, memory: ContainersMemory): void {
  ofJars.set(jar, memory);
}

export function memoryOf(jar: Jar): ContainersMemory {
  const memory = ofJars.get(jar);
  if (!memory) throw new Error('the containers service is not open');
  return memory;
}
