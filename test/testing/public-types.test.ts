import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Static } from 'typebox';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type { Behaviour } from '../../src/control/inbox/collections.ts';
import type { AdvanceResult, ClockMode } from '../../src/kernel/clock/types.ts';
import type { ServiceSettings } from '../../src/kernel/config/config.ts';
import type { RuleSchema, RuleViewSchema } from '../../src/kernel/faults/schema.ts';
import type { Finished } from '../../src/kernel/http/server.ts';
import type { LogLevel } from '../../src/kernel/telemetry/log.ts';
import type * as source from '../../src/testing/index.ts';
import type * as declared from '../../src/testing/public.d.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER_MS = 120_000;

const PROGRAM = `import { startJar, type TestJar } from 'cloudjar/testing';
const jar: TestJar = await startJar({ settings: { mail: { catchAll: 'admin' } }, observe: ({ answer }) => console.log(answer.status) });
const { subject }: { subject: string } = await jar.mailbox('admin').waitFor({ folder: 'sentitems' });
await jar.faults.add({ match: { path: '*' }, effect: { status: 429 }, count: 1 });
// @ts-expect-error: there is no such filter
await jar.mailbox('admin').messages({ Subject: subject });
await jar.close();
`;

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'a strict program with module %s and moduleResolution %s compiles against cloudjar/testing',
  {
    timeout: COMPILER_MS,
  },
  async (module, moduleResolution) => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-types-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules/cloudjar'));
    const compilerOptions = {
      ...{ target: 'es2022', lib: ['es2022', 'esnext.disposable'], module, moduleResolution },
      ...{ strict: true, noEmit: true, skipLibCheck: false, types: ['node'] },
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    const result = await promisify(execFile)(compiler, ['-p', folder]).catch((error) => error);
    expect(result.stdout).toBe('');
  },
);

test('what is declared is what the sources have', () => {
  expectTypeOf<declared.FaultOrder>().toEqualTypeOf<Static<typeof RuleSchema>>();
  expectTypeOf<declared.OrderedFault>().toEqualTypeOf<Static<typeof RuleViewSchema>>();
  expectTypeOf<declared.ClockMode>().toEqualTypeOf<ClockMode>();
  expectTypeOf<declared.LogLevel>().toEqualTypeOf<LogLevel>();
  expectTypeOf<declared.AdvanceResult>().toEqualTypeOf<AdvanceResult>();
  expectTypeOf<declared.InboxBehaviour['handshake']>().toEqualTypeOf<Behaviour['handshake']>();
  expectTypeOf<NonNullable<declared.StartJarOptions['settings']>>().toEqualTypeOf<ServiceSettings>();
  expectTypeOf<Finished>().toExtend<declared.FinishedCall>();
  expectTypeOf<typeof source.startJar>().toExtend<typeof declared.startJar>();
});
