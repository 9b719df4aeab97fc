import { expect, it } from 'vitest';
import { usePostgresDatabase } from '../support/use-postgres.ts';
import { blocksOf, runTypeScript } from './examples.ts';
import { markedCode, needCurl, PageJar, shownBy } from './page-jar.ts';

/** What the comments behind `console.log(…);` say that it prints; a comment may say for a loop what the first and the last line are. */
const announced = (code: string): string[] =>
  [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm)].flatMap(([, text = '']) => text.split(', then '));

it.each(['webhook-receivers', 'time', 'simulate-failures'])(
  'the programs of docs/guides/%s.md print what they say',
  async (guide) => {
    const programs = (await blocksOf(`docs/guides/${guide}.md`)).filter(({ language }) => language === 'ts');
    expect(programs.length).toBeGreaterThan(1);
    for (const { code } of programs) {
      expect(announced(code).length).toBeGreaterThan(0);
      expect((await runTypeScript(code)).trim().split('\n')).toEqual(announced(code));
    }
  },
);

it('the program of docs/guides/postgresql.md starts two nodes on one database', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'guide');
  const [program] = (await blocksOf('docs/guides/postgresql.md')).filter(({ language }) => language === 'ts');
  const code = program?.code ?? '';
  expect((await runTypeScript(code, { TEST_DATABASE_URL: databaseUrl })).trim().split('\n')).toEqual(announced(code));
});

it('the commands of docs/guides/team.md carry a state from one jar to another', async ({ skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  expect(await page.shell(await markedCode('docs/guides/team.md'))).toBe(
    await shownBy('docs/guides/team.md', 'console'),
  );
});

it('the command of docs/guides/console.md prints a link to the console', async ({ skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  const link = /^http:\/\/127\.0\.0\.1:\d+\/console\/#enter=[\w-]{50,60}\n$/;
  expect(await shownBy('docs/guides/console.md', 'console')).toMatch(link);
  expect(await page.shell(await markedCode('docs/guides/console.md'))).toMatch(link);
});
