import type { Command } from 'commander';
import { CliError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { someDuration } from '../values.ts';

interface PlatformOptions extends JarCommandOptions {
  readonly user?: string;
  readonly ttl?: string;
}

interface PlatformWorkspace {
  readonly tenantId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly isDefault: boolean;
}

const EXAMPLES = `
Examples:
  $ export $(cloudjar platform)
  $ databricks current-user me
  $ cloudjar platform --user licensed --json`;

export function declare(program: Command): void {
  addJarOptions(program.command('platform'))
    .description('print settings for clients of the data platform: host, account, workspace and a token')
    .option('--user <name>', 'a user or application of the jar (default: the administrator)')
    .option('--ttl <duration>', 'lifetime of the token, such as 90s, 12h, 365d', someDuration)
    .addHelpText('after', EXAMPLES)
    .action(async (options: PlatformOptions) => {
      const { user, ttl } = options;
      const client = connect(options, { user: '--user', ttl: '--ttl' });
      const { access_token: token } = (await client.post('/_jar/tokens', { user, ttl })) as { access_token: string };
      const { value } = (await client.get('/_jar/platform/workspaces')) as { value: readonly PlatformWorkspace[] };
      const tenant = tenantOf(token);
      const found = value.find(({ tenantId, isDefault }) => tenantId === tenant && isDefault);
      if (!found) throw new CliError(`the data platform has no account for the tenant ${tenant}`);
      const variables = {
        DATABRICKS_HOST: client.jar.url,
        DATABRICKS_ACCOUNT_ID: found.accountId,
        DATABRICKS_WORKSPACE_ID: found.workspaceId,
        DATABRICKS_TOKEN: token,
      };
      const lines = Object.entries(variables).map(([name, text]) => `${name}=${text}`);
      print(options, variables, lines.join('\n'));
    });
}

/** The tenant in a token, which decides the account. */
function tenantOf(token: string): string {
  const [, claims = ''] = token.split('.');
  const { tid } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { tid?: string };
  return tid ?? '';
}
