import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 20;

/** Prints the slowest test files, to show the cost of additions. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // For a single file, the summary already has it.
    if (modules.length <= 1) return;
    const rows = modules.map((module) => ({ file: module.relativeModuleId, ms: durationOf(module) }));
    const slowest = rows.sort((a, b) => b.ms - a.ms).slice(0, SHOWN);
    const total = rows.reduce((sum, { ms }) => sum + ms, 0);
    console.log(`\nThe ${slowest.length} slowest of ${rows.length} files (${seconds(total)} in all):`);
    for (const { file, ms } of slowest) console.log(`  ${seconds(ms).padStart(8)}  ${file}`);
  }
}

/** Includes loading, which is most of the time for many files. */
function durationOf(module: TestModule): number {
  const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  return prepareDuration + collectDuration + setupDuration + duration;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

// Vitest loads a reporter from the default export of its file.
export default SlowestFiles;
