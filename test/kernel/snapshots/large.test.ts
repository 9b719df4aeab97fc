import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { file, postgres } from '../store/contract/engines.ts';

const CHILD = fileURLToPath(new URL('./large-child.ts', import.meta.url));
const DOCUMENTS = process.env.CLOUDJAR_SOAK === '1' ? 1_000_000 : 50_000;

describe.each([file, postgres])('$name:', (engine) => {
  test(`${DOCUMENTS} documents are saved and restored without being in memory at once, while others write`, {
    timeout: 1_800_000,
  }, async (context) => {
    const { address } = await engine.place(context);
    const args = ['--expose-gc', CHILD, engine.name, address, String(DOCUMENTS)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { restored, growth, bytes, writtenWhileSaving } = JSON.parse(stdout);
    expect(restored).toBe(DOCUMENTS);
    expect(bytes).toBeGreaterThan(DOCUMENTS * 300);
    expect(growth).toBeLessThan(bytes / 2);
    expect(writtenWhileSaving).toBeGreaterThan(20);
  });
});
