import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Static } from 'typebox';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type * as client from '../../src/client/index.ts';
import type * as declaredClient from '../../src/client/public.d.ts';
import type { DeliveryDetail, DeliveryView } from '../../src/control/deliveries/views.ts';
import type { Behaviour } from '../../src/control/inbox/collections.ts';
import type { AdvanceResult, ClockMode } from '../../src/kernel/clock/types.ts';
import type { ServiceSettings } from '../../src/kernel/config/config.ts';
import type { RuleSchema, RuleViewSchema } from '../../src/kernel/faults/schema.ts';
import type { Finished } from '../../src/kernel/http/server.ts';
import type { LogLevel } from '../../src/kernel/telemetry/log.ts';
import type * as source from '../../src/testing/index.ts';
import type * as declared from '../../src/testing/public.d.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER_MS = 300_000;

const PROGRAM = `import { connectJar, JarError as ClientError, type Jar } from 'cloudjar/client';
import { JarError, startJar, type TestJar } from 'cloudjar/testing';
async function main(): Promise<void> {
  const jar: TestJar = await startJar({ settings: { mail: { catchAll: 'admin' } }, observe: ({ answer }) => void answer.status.toFixed() });
  const { subject }: { subject: string } = await jar.mailbox('admin').waitFor({ folder: 'sentitems' });
  await jar.faults.add({ match: { path: '*' }, effect: { status: 429 }, count: 1 });
  // @ts-expect-error: there is no such filter
  await jar.mailbox('admin').messages({ Subject: subject });
  const now: Date = jar.clock.now();
  const later: Promise<Date> = connectJar({ url: jar.url }).clock.now();
  const either: Jar[] = [jar, connectJar.fromEnv({ CLOUDJAR_URL: now.toISOString() })];
  const size: number = (await (await jar.mailbox('admin').messages())[0]!.source()).length;
  for (const error of [new JarError('a', { code: 'A' }), new ClientError('b', { code: 'B' })]) (error.status ?? size).toFixed();
  await Promise.all([later, ...either.map((each) => each.reset())]);
  await jar.close();
}
void main();
`;

/** A CommonJS program and an ES module program, according to their names. */
const FILES = { 'program.mts': PROGRAM, 'program.cts': PROGRAM };
const USES = `import { startJar } from 'cloudjar/testing';
async function main(): Promise<void> {
  await using jar = await startJar();
  const text: string = (await (await jar.mailbox('admin').messages())[0]!.source()).toString('utf8');
  void text;
}
void main();
`;

/** The compiler's output for a strict project with these options. */
async function compile(files: Record<string, string>, options: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'node_modules/cloudjar'), { recursive: true });
  // As installed: only the built files of the clone.
  for (const name of ['dist', 'package.json'])
    await symlink(join(ROOT, name), join(folder, 'node_modules/cloudjar', name));
  const compilerOptions = { target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, ...options };
  await writeFile(join(folder, 'package.json'), '{}');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const result = await promisify(execFile)(compiler, ['-p', folder, '--checkers', '1']).catch((error) => error);
  return result.stdout;
}

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly require: { readonly types: string } }>>;
  readonly typesVersions: unknown;
}

const NODE_TYPES = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };

test.each([
  ['nodenext', 'nodenext', 'without the types of Node', { lib: ['es2022'], types: [] }],
  ['esnext', 'bundler', 'without the types of Node', { lib: ['es2022'], types: [] }],
  ['nodenext', 'nodenext', 'with the types of Node', { lib: ['es2022'], ...NODE_TYPES }],
])(
  'a strict program with module %s and moduleResolution %s compiles %s',
  { timeout: COMPILER_MS },
  async (module, moduleResolution, _with, options) => {
    expect(await compile(FILES, { module, moduleResolution, ...options })).toBe('');
  },
);

test('await using and Buffer are there for who has the types of Node', { timeout: COMPILER_MS }, async () => {
  const options = { module: 'nodenext', lib: ['es2022'], ...NODE_TYPES };
  expect(await compile({ 'program.mts': USES, 'program.cts': USES }, options)).toBe('');
});

test('a compiler that does not read exports (moduleResolution node10) finds the declarations too', async () => {
  const text = await readFile(join(ROOT, 'package.json'), 'utf8');
  const { exports, typesVersions } = JSON.parse(text) as Manifest;
  const entries = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  const declarations = entries.map(([name, { require }]) => [name.slice('./'.length), [require.types]]);
  expect(typesVersions).toEqual({ '*': Object.fromEntries(declarations) });
});

test('the declarations match the sources', () => {
  expectTypeOf<declared.FaultOrder>().toEqualTypeOf<Static<typeof RuleSchema>>();
  expectTypeOf<declared.OrderedFault>().toEqualTypeOf<Static<typeof RuleViewSchema>>();
  expectTypeOf<declared.ClockMode>().toEqualTypeOf<ClockMode>();
  expectTypeOf<declared.LogLevel>().toEqualTypeOf<LogLevel>();
  expectTypeOf<declared.AdvanceResult>().toEqualTypeOf<AdvanceResult>();
  expectTypeOf<declared.InboxBehaviour['handshake']>().toEqualTypeOf<Behaviour['handshake']>();
  expectTypeOf<NonNullable<declared.StartJarOptions['settings']>>().toEqualTypeOf<ServiceSettings>();
  expectTypeOf<Finished>().toExtend<declared.FinishedCall>();
  expectTypeOf<Static<typeof DeliveryView>>().toExtend<declared.Delivery>();
  expectTypeOf<Static<typeof DeliveryDetail>>().toExtend<declared.DeliveryDetail>();
  expectTypeOf<typeof source.startJar>().toExtend<typeof declared.startJar>();
  expectTypeOf<typeof client.connectJar>().toExtend<typeof declaredClient.connectJar>();
  expectTypeOf<client.JarError>().toExtend<declared.JarError>();
});
