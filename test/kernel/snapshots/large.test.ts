import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundled } from '../../support/bundled.ts';
import { file, postgres } from '../store/contract/engines.ts';

const CHILD = await bundled(join(import.meta.dirname, 'large-child.ts'));
const SOAK = process.env.CLOUDJAR_SOAK === '1';
const DOCUMENTS = SOAK ? 1_000_000 : 4000;
/** With fewer documents, each is larger, so that holding all of them in memory would be detected. */
const WORDS = SOAK ? 80 : 1000;
const WRITTEN_MEANWHILE = SOAK ? 400 : 4;

describe.each([file, postgres])('$name:', (engine) => {
  test(`${DOCUMENTS} documents are saved, restored and compared without being in memory at once, while others write`, {
    timeout: 1_800_000,
  }, async (context) => {
    const { address } = await engine.place(context);
    const args = [
      '--expose-gc',
      '--max-semi-space-size=1',
      CHILD,
      engine.name,
      address,
      String(DOCUMENTS),
      String(WORDS),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { restored, same, growth, bytes, writtenWhileSaving } = JSON.parse(stdout);
    expect(restored).toBe(DOCUMENTS);
    expect(same).toEqual([DOCUMENTS, DOCUMENTS]);
    expect(bytes).toBeGreaterThan(DOCUMENTS * WORDS * 4);
    expect(growth).toBeLessThan(bytes / 2);
    expect(writtenWhileSaving).toBeGreaterThan(WRITTEN_MEANWHILE);
  });
});
