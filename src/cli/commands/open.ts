import type { Command } from 'commander';
import { readAnswer, send } from '../control-client.ts';
import { findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions, print } from '../jar-command.ts';
import { openInBrowser } from '../open-browser.ts';

const EXAMPLES = `
Without a display, or with --print, only the address is printed.

Examples:
  $ cloudjar open
  $ cloudjar open --print`;

interface OpenOptions extends JarCommandOptions {
  readonly print?: boolean;
}

export function declare(program: Command): void {
  addJarOptions(program.command('open'))
    .description("open the jar's page in the browser, and print its address")
    .option('--print', 'only print the address')
    .addHelpText('after', EXAMPLES)
    .action(async (options: OpenOptions) => {
      const jar = findJar(options);
      // Reports a missing jar like every other command, instead of opening a page that does not load.
      readAnswer(jar, await send(jar, 'GET', '/_jar/health/live'));
      const url = `${jar.url}/`;
      const opened = options.print ? false : await openInBrowser(url);
      print(options, { url, opened }, url);
    });
}
