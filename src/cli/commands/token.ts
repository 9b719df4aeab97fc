import type { Command } from 'commander';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { someDuration } from '../values.ts';

interface TokenOptions extends JarCommandOptions {
  readonly user?: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly ttl?: string;
}

const NAMES = { user: '--user', scope: '--scope', audience: '--audience', ttl: '--ttl' };

const EXAMPLES = `
Examples:
  $ curl -H "Authorization: Bearer $(cloudjar token)" "http://127.0.0.1:7400/subscriptions?api-version=2022-12-01"
  $ cloudjar token --user licensed --scope user_impersonation
  $ cloudjar token --ttl 365d --json`;

export function declare(program: Command): void {
  addJarOptions(program.command('token'))
    .description('print an access token, and nothing else')
    .option('--user <name>', 'a user or application of the jar (default: the administrator)')
    .option('--scope <scopes>', 'only these delegated scopes, or roles of an application (default: all scopes)')
    .option('--audience <resource>', 'only for this resource (default: every service)')
    .option('--ttl <duration>', 'lifetime, such as 90s, 12h, 365d', someDuration)
    .addHelpText('after', EXAMPLES)
    .action(async (options: TokenOptions) => {
      const { user, scope, audience, ttl } = options;
      const answer = (await connect(options, NAMES).post('/_jar/tokens', { user, scope, audience, ttl })) as {
        access_token: string;
      };
      print(options, answer, answer.access_token);
    });
}
