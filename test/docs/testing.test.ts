import { expect, it } from 'vitest';
import { blocksOf, runTypeScript } from './examples.ts';

/** The outputs announced in comments after `console.log(…);`. */
const announced = (code: string): string[] =>
  [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm)].map(([, text = '']) => text);

it('the programs of docs/guides/testing.md print what they say', async () => {
  const programs = (await blocksOf('docs/guides/testing.md')).filter(({ language }) => language === 'ts');
  expect(programs).toHaveLength(6);
  await Promise.all(
    programs.map(async ({ code }) => {
      const printed = (await runTypeScript(code)).trim().split('\n');
      expect(announced(code).length).toBeGreaterThan(0);
      expect([...new Set(printed)]).toEqual(announced(code));
    }),
  );
});
