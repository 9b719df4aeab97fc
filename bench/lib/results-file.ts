import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../RESULTS.md', import.meta.url);

/** Replaces the sections of RESULTS.md with the same headings; the other sections stay, each with its own machine and date. */
export function writeResults(sections: ReadonlyMap<string, string>, order: readonly string[]): void {
  const [introduction = '', ...present] = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const kept = new Map(present.map((section) => [/^## (.*)/.exec(section)?.[1] ?? '', section]));
  for (const [name, section] of sections) kept.set(name, section);
  const ordered = order.flatMap((name) => kept.get(name)?.trimEnd() ?? []);
  writeFileSync(file, `${[introduction.trimEnd(), ...ordered].join('\n\n')}\n`);
}
