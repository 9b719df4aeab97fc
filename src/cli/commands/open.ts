import type { Command } from 'commander';
import { controlClient } from '../control-client.ts';
import { findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions, print } from '../jar-command.ts';
import { openInBrowser } from '../open-browser.ts';

const EXAMPLES = `
The link works once and for an hour: it starts a session in the browser that opens it. Without a display, or with --print, it is only printed.

Examples:
  $ cloudjar open
  $ cloudjar open deliveries
  $ cloudjar open --print --read-only   # for somebody who may look and not change`;

interface OpenOptions extends JarCommandOptions {
  readonly print?: boolean;
  readonly readOnly?: boolean;
}

export function declare(program: Command): void {
  addJarOptions(program.command('open'))
    .argument('[page]', 'the page of the console to open: requests, deliveries/ID')
    .description('open the console in the browser with a one-time link, and print the link')
    .option('--print', 'only print the link')
    .option('--read-only', 'a link for somebody who may look and not change')
    .addHelpText('after', EXAMPLES)
    .action(async (page: string | undefined, options: OpenOptions) => {
      const jar = findJar(options);
      const role = options.readOnly ? 'reader' : 'admin';
      const made = await controlClient(jar).post('/_jar/console/links', { role, ...(page !== undefined && { page }) });
      const { url } = made as { readonly url: string };
      const opened = options.print ? false : await openInBrowser(url);
      print(options, { url, opened }, url);
    });
}
