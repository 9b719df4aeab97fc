import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { THROTTLE_LIMITS } from '../../../../src/services/business/throttle/limits.ts';
import { inWords, TIMES } from '../../../../src/services/business/throttle/times.ts';
import { BUSINESS_AUDIENCES } from '../../../../src/services/business/users/audiences.ts';
import { runTypeScript } from '../../../docs/examples.ts';
import { markedCode, needCurl, PageJar, typeScriptOf } from '../../../docs/page-jar.ts';

const PAGE = 'docs/services/business-batch-and-limits.md';
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

  it.each(BUSINESS_AUDIENCES)('names the audience %s', (audience) => {
    expect(page).toContain(`\`${audience}\``);
  });

  it('has examples that do what it says', async ({ skip }) => {
    needCurl(skip);
    await using jar = await PageJar.open();
    const shown = await jar.shell(await markedCode(PAGE));
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
  });

  it('has a test that runs', async () => {
    expect(await runTypeScript(await typeScriptOf(PAGE))).toBe('504\n');
  });
});
