import { join } from 'node:path';
import type { Command } from 'commander';
import { azureCliLines } from '../doctor/azure-cli.ts';
import { checkHttps, checkSmtp } from '../doctor/connections.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkAdminKey, checkClock, checkJar } from '../doctor/jar.ts';
import { checkDisk, checkFolder, checkNode, checkPorts } from '../doctor/machine.ts';
import { type TrustLine, trustLines } from '../doctor/trust.ts';
import { EXIT_FAILED } from '../errors.ts';
import { type FoundJar, findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions, print } from '../jar-command.ts';
import { readJarFiles } from '../jar-file.ts';
import type { JarStatus } from '../running.ts';

const EXAMPLES = `
A jar given by --url or CLOUDJAR_URL may run on another machine: it is then checked from here, and the folders
and ports of this machine are not checked.

Examples:
  $ cloudjar doctor
  $ cloudjar doctor --url https://jar.internal:7443`;

export function declare(program: Command): void {
  addJarOptions(program.command('doctor'))
    .description('check for problems, and show how programs can trust the jar')
    .addHelpText('after', EXAMPLES)
    .action(async (options: JarCommandOptions) => {
      const jar = ofThisMachine(findJar(options));
      const isLocal = jar.source === undefined || jar.file !== undefined;
      const { checks, httpsUrl } = await examine(jar, isLocal);
      const ok = checks.every((finding) => finding.ok);
      const target = { url: jar.url, source: jar.source ?? 'the configuration', local: isLocal };
      const path = isLocal ? join(jar.folder, 'ca.pem') : 'cloudjar-ca.pem';
      const address = httpsUrl ?? (jar.url.startsWith('https:') ? jar.url : 'https://localhost:7443');
      const trust = trustLines(path, address);
      const azureCli = azureCliLines(path, address);
      const from = isLocal
        ? undefined
        : `curl ${jar.url.startsWith('https:') ? '-k ' : ''}-o ${path} ${jar.url}/_jar/ca.pem`;
      const lines = [
        `The jar at ${target.url} (from ${target.source}):`,
        ...findingLines(checks),
        '',
        ...trustText(trust, from),
        '',
        'To use the jar as a cloud in az (docs/guides/azure-cli.md):',
        ...azureCli.map((line) => `  ${line}`),
      ];
      print(options, { ok, target, checks, trust, azureCli }, lines.join('\n'));
      if (!ok) process.exitCode = EXIT_FAILED;
    });
}

/** A jar given by its address may be the jar of the data folder. */
function ofThisMachine(jar: FoundJar): FoundJar {
  if (jar.file !== undefined) return jar;
  const file = readJarFiles(jar.folder).find(({ url, httpsUrl }) => jar.url === url || jar.url === httpsUrl);
  return file ? { ...jar, file } : jar;
}

interface Examined {
  readonly checks: readonly Finding[];
  readonly httpsUrl?: string | undefined;
}

async function examine(jar: FoundJar, isLocal: boolean): Promise<Examined> {
  const { finding, answer } = await checkJar(jar);
  const here = isLocal ? [checkNode(), checkFolder(jar.folder), checkDisk(jar.folder)] : [checkNode()];
  if (!answer) {
    const https = isLocal || !jar.url.startsWith('https:') ? [] : await checkHttps(jar, securePlace(jar), undefined);
    return { checks: [...here, finding, ...(isLocal ? await checkPorts(jar.config) : https)] };
  }
  const { finding: key, status } = await checkAdminKey(jar);
  const { host, port, publicUrl } = securePlace(jar, status);
  const httpsUrl = port === 0 ? undefined : `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const connections =
    httpsUrl === undefined ? [] : await checkHttps(jar, { host, port, publicUrl }, isLocal ? jar.folder : undefined);
  const smtp = status ? [await checkSmtp(hostOf(jar.url), status.smtpPort)] : [];
  return { checks: [...here, finding, key, ...connections, ...smtp, checkClock(answer, Date.now())], httpsUrl };
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** The HTTPS address of a jar. Without an admin key, HTTPS is checked only if the jar's address or file contains the port. */
function securePlace(
  { url, file }: FoundJar,
  status?: JarStatus,
): { host: string; port: number; publicUrl: readonly string[] } {
  const known = file?.httpsUrl ?? (url.startsWith('https:') ? url : undefined);
  const port = known === undefined ? (status?.httpsPort ?? 0) : Number(new URL(known).port || 443);
  return { host: hostOf(known ?? url), port, publicUrl: status?.publicUrl ?? [] };
}

function findingLines(checks: readonly Finding[]): string[] {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks.flatMap(({ ok, check, detail, fix }) => {
    const line = `${ok ? 'ok   ' : 'WRONG'}  ${check.padEnd(width)}  ${detail}`;
    return fix === undefined ? [line] : [line, `${' '.repeat(width + 9)}-> ${fix}`];
  });
}

function trustText(trust: readonly TrustLine[], download: string | undefined): string[] {
  const all = download === undefined ? trust : [{ runtime: 'first', line: download }, ...trust];
  const width = Math.max(...all.map(({ runtime }) => runtime.length));
  const lines = all.map(({ runtime, line }) => `  ${runtime.padEnd(width)}  ${line}`);
  return ['To trust the certificates of the jar:', ...lines];
}
