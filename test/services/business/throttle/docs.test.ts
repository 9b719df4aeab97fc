import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config.ts';
import { THROTTLE_LIMITS } from '../../../../src/services/business/throttle/limits.ts';
import { inWords, TIMES } from '../../../../src/services/business/throttle/times.ts';
import { BUSINESS_AUDIENCES } from '../../../../src/services/business/users/audiences.ts';
import { blocksOf, runShell, runTypeScript } from '../../../docs/examples.ts';

const PAGE = 'docs/business-batch-and-limits.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

describe('the page about batches and limits', () => {
  it.each(THROTTLE_LIMITS.map((limit) => [limit.name, 'limit' in limit ? limit.limit : 0]))(
    'tells the limit %s and that it is %i',
    (name, limit) => {
      expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|.*\\b${limit}\\b`));
    },
  );

  it.each(Object.entries(TIMES))('tells the time %s', (name, ms) => {
    expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|.*${inWords(ms)}`));
  });

  it.each(BUSINESS_AUDIENCES)('tells the audience %s', (audience) => {
    expect(page).toContain(`\`${audience}\``);
  });

  it('has examples that do what it says', async ({ skip }) => {
    if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-batch-'));
    const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'error', engine: 'simulated' };
    const jar = await openJar({ config: loadConfig({ flags, env: {}, cwd: folder }) });
    try {
      const marked = (await blocksOf(PAGE)).filter((block) => block.marked);
      const code = marked.map((block) => block.code.replaceAll('http://127.0.0.1:7400', jar.url)).join('\n');
      const shown = await runShell(code, { CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url }, folder);
      const batch = [
        '"id":"1"',
        '"status":201',
        '"id":"2"',
        '"status":200',
        '"city":"Ulm"',
        '"id":"3"',
        '"status":200',
        '"city":"Ulm"',
        '"id":"4"',
        '"status":404',
      ];
      expect(shown).toContain(`${batch.join('\n')}\n`);
      expect(shown).toMatch(/429\nApplication_TooManyRequests\n$/);
    } finally {
      await jar.close();
      await rm(folder, { recursive: true });
    }
  });

  it('has a test that runs', async () => {
    const [block] = (await blocksOf(PAGE)).filter(({ language }) => language === 'ts');
    expect(await runTypeScript(block?.code ?? '')).toBe('504\n');
  });
});
