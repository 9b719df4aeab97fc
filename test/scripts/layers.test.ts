import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLayers } from '../../scripts/lib/layers.mjs';
import { tempTree } from './temp-tree.ts';

function check(files: Record<string, string>) {
  return checkLayers(join(tempTree(files), 'src'));
}

test('a service may import the kernel and itself', () => {
  const found = check({
    'src/services/mail/index.ts':
      "import { a } from './rules/a.ts';\nimport type { S } from '../../kernel/service/index.ts';\n",
    'src/services/mail/rules/a.ts': "export { b } from '../b.ts';\nimport { randomBytes } from 'node:crypto';\n",
    'src/jar/index.ts': "import { MAIL } from './services/mail/index.ts';\n",
  });
  expect(found).toEqual({ errors: [], warnings: [] });
});

test('a service that imports another one is an error with file and line, however it imports', () => {
  const { errors } = check({
    'src/services/mail/a.ts': "import { b } from './b.ts';\nimport {\n  x,\n} from '../events/index.ts';\n",
    'src/services/mail/deep/b.ts': "export * from '../../events/x.ts';\n",
    'src/services/mail/c.ts': "const lazy = () => import('../events/index.ts');\n",
    'src/services/mail/d.ts': "import '../events/index.ts';\n",
  });
  expect(errors).toHaveLength(4);
  expect(errors[0]).toMatch(/^src\/services\/mail\/a\.ts:4: the mail service imports the events service/);
});

test('the kernel may import nothing but itself, and a service nothing above it', () => {
  const { errors } = check({
    'src/kernel/http/a.ts':
      "import { MAIL } from '../../services/mail/index.ts';\nimport { ok } from '../clock/x.ts';\n",
    'src/services/mail/a.ts': "import { jar } from '../../jar.ts';\n",
  });
  expect(errors).toEqual([
    expect.stringMatching(/^src\/kernel\/http\/a\.ts:1: the kernel imports src\/services\/mail\/index\.ts/),
    expect.stringMatching(/^src\/services\/mail\/a\.ts:1: a service imports src\/jar\.ts/),
  ]);
});

test('a service imports of the kernel only what the index.ts of a folder exports', () => {
  const { errors } = check({
    'src/services/mail/a.ts':
      "import { walk } from '../../kernel/store/walk.ts';\nimport { read } from '../../kernel/arm/body/index.ts';\n",
    'src/jar/index.ts': "import { walk } from '../kernel/store/walk.ts';\n",
  });
  expect(errors).toEqual([
    expect.stringMatching(/^src\/services\/mail\/a\.ts:1: a service imports src\/kernel\/store\/walk\.ts/),
  ]);
});

test('a module of the kernel imports only from lower levels, types included', () => {
  const { errors } = check({
    'src/kernel/store/a.ts':
      "import type { Call } from '../http/route.ts';\nimport { now } from '../time/timers.ts';\nimport { b } from './b.ts';\n",
    'src/kernel/odata/a.ts': "const load = () => import('../limits/index.ts');\n",
    'src/kernel/attic/a.ts': "import { now } from '../time/timers.ts';\n",
    'src/kernel/time/a.ts': "import { old } from '../attic/a.ts';\n",
  });
  expect(errors.sort()).toEqual([
    expect.stringMatching(/^src\/kernel\/attic\/a\.ts:1: kernel\/attic has no level/),
    expect.stringMatching(/^src\/kernel\/odata\/a\.ts:1: kernel\/odata imports .* on the same level/),
    expect.stringMatching(/^src\/kernel\/store\/a\.ts:1: kernel\/store imports .* on a higher level/),
    expect.stringMatching(/^src\/kernel\/time\/a\.ts:1: imports src\/kernel\/attic\/a\.ts, which has no level/),
  ]);
});

test('files that load each other are an error, and so are types that need each other across folders', () => {
  const { errors } = check({
    'src/cli/a.ts': "import { b } from './b.ts';\n",
    'src/cli/b.ts': "import { c } from './c.ts';\n",
    'src/cli/c.ts': "import { type X, a } from './a.ts';\n",
    'src/jar/a.ts': "import { type B } from './deep/b.ts';\n",
    'src/jar/deep/b.ts': "import type { A } from '../a.ts';\n",
    'src/control/a.ts': "import type { B } from './b.ts';\n",
    'src/control/b.ts': "import { a } from './a.ts';\n",
    'src/control/c.ts': "const lazy = () => import('./d.ts');\n",
    'src/control/d.ts': "import { c } from './c.ts';\n",
  });
  expect(errors).toEqual([
    'these files import each other in a cycle: src/cli/a.ts, src/cli/b.ts, src/cli/c.ts',
    'the types of these files form a cycle across folders: src/jar/a.ts, src/jar/deep/b.ts',
  ]);
});

test('a file over 400 lines is a warning, unless it is generated', () => {
  const long = 'export {};\n'.repeat(401);
  const { errors, warnings } = check({ 'src/cli/a.ts': long, 'src/kernel/generated/b.ts': long });
  expect(errors).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/^src\/cli\/a\.ts: 401 lines/)]);
});

test('an import of node:http, which makes a start slow, is an error; its types are not', () => {
  const { errors } = check({
    'src/a.ts': "import { request } from 'node:http';\n",
    'src/b.ts': "import {\n  type Agent,\n} from 'node:http';\n",
    'src/c.ts': "const http = await import('node:http');\n",
    'src/d.ts': "import type { Agent } from 'node:http';\nimport { request } from 'node:https';\n",
  });
  expect(errors.map((line) => line.split(':', 1)[0])).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
});
