import { join } from 'node:path';
import type { Command } from 'commander';
import {
  checkAdminKey,
  checkClock,
  checkFolder,
  checkHttps,
  checkJar,
  checkNode,
  checkPorts,
  type Finding,
} from '../doctor/checks.ts';
import { type TrustLine, trustLines } from '../doctor/trust.ts';
import { EXIT_FAILED } from '../errors.ts';
import { type FoundJar, findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions, print } from '../jar-command.ts';

export function declare(program: Command): void {
  addJarOptions(program.command('doctor'))
    .description('look for what is wrong, and say how programs come to trust the jar')
    .action(async (options: JarCommandOptions) => {
      const jar = findJar(options);
      const checks = await examine(jar);
      const ok = checks.every((finding) => finding.ok);
      const trust = trustLines(join(jar.folder, 'ca.pem'), jar.file?.httpsUrl ?? 'https://localhost:7443');
      print(options, { ok, checks, trust }, [...findingLines(checks), '', ...trustText(trust)].join('\n'));
      if (!ok) process.exitCode = EXIT_FAILED;
    });
}

async function examine(jar: FoundJar): Promise<Finding[]> {
  const { finding, answer } = await checkJar(jar);
  const local = [checkNode(), checkFolder(jar.folder)];
  if (!answer) return [...local, finding, ...(await checkPorts(jar.config))];
  return [
    ...local,
    finding,
    await checkAdminKey(jar),
    await checkHttps(jar, jar.file?.httpsUrl),
    checkClock(answer, Date.now()),
  ];
}

function findingLines(checks: readonly Finding[]): string[] {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks.flatMap(({ ok, check, detail, fix }) => {
    const line = `${ok ? 'ok   ' : 'WRONG'}  ${check.padEnd(width)}  ${detail}`;
    return fix === undefined ? [line] : [line, `${' '.repeat(width + 9)}-> ${fix}`];
  });
}

function trustText(trust: readonly TrustLine[]): string[] {
  const width = Math.max(...trust.map(({ runtime }) => runtime.length));
  const lines = trust.map(({ runtime, line }) => `  ${runtime.padEnd(width)}  ${line}`);
  return ['To trust the certificates of the jar:', ...lines];
}
