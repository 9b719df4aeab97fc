import type { Command } from 'commander';
import { durationArgument } from '../duration-argument.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';

interface TokenOptions extends JarCommandOptions {
  readonly user?: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly ttl?: string;
}

const EXAMPLES = `
Examples:
  $ curl -H "Authorization: Bearer $(cloudjar token)" "http://127.0.0.1:7400/subscriptions?api-version=2022-12-01"
  $ cloudjar token --user licensed --scope user_impersonation
  $ cloudjar token --ttl 365d --json`;

export function declare(program: Command): void {
  addJarOptions(program.command('token'))
    .description('print an access token, and nothing else')
    .option('--user <name>', 'a user or application of the jar (default: the administrator)')
    .option('--scope <scopes>', 'only these delegated scopes, or roles of an application (default: every scope)')
    .option('--audience <resource>', 'only for this resource (default: every service)')
    .option('--ttl <duration>', 'how long it is good for, such as 90s, 12h, 365d')
    .addHelpText('after', EXAMPLES)
    .action(async (options: TokenOptions) => {
      const { user, scope, audience } = options;
      const ttl = options.ttl === undefined ? undefined : durationArgument(options.ttl);
      const answer = (await connect(options).post('/_jar/tokens', { user, scope, audience, ttl })) as {
        access_token: string;
      };
      print(options, answer, answer.access_token);
    });
}
