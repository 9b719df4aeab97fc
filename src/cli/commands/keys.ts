import type { Command } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { CliError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';

const EXAMPLES = `
Examples:
  $ cloudjar keys
  $ curl -X POST "http://127.0.0.1:7400/detect?api-version=3.0" -H "Ocp-Apim-Subscription-Key: $(cloudjar keys translator)" \\
      -H 'content-type: application/json' -d '[{"Text":"Wie spät ist es?"}]'
  $ curl http://127.0.0.1:7400/v0.1/apps -H "X-API-Token: $(cloudjar keys lifecycle)"`;

export function declare(program: Command): void {
  addJarOptions(program.command('keys'))
    .argument('[service]', 'print only the key of this service')
    .description('print the keys of services that use keys')
    .addHelpText('after', EXAMPLES)
    .action(async (service: string | undefined, options: JarCommandOptions) => {
      const keys = (await connect(options).get('/_jar/keys')) as Readonly<Record<string, string>>;
      if (service === undefined) print(options, keys, table(keys));
      else {
        const key = keyOf(keys, service);
        print(options, { [service]: key }, key);
      }
    });
}

function keyOf(keys: Readonly<Record<string, string>>, service: string): string {
  const key = Object.hasOwn(keys, service) ? keys[service] : undefined;
  if (key !== undefined) return key;
  const names = Object.keys(keys);
  const near = didYouMean(service, names);
  const hint = near === undefined ? `there are keys for ${names.join(', ') || 'none'}` : `did you mean ${near}?`;
  throw new CliError(`the jar has no key for '${service}' (${hint})`);
}

function table(keys: Readonly<Record<string, string>>): string {
  const width = Math.max(0, ...Object.keys(keys).map((name) => name.length));
  return Object.entries(keys)
    .map(([name, key]) => `${name.padEnd(width)}  ${key}`)
    .join('\n');
}
