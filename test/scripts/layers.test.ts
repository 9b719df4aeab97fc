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
      "import { a } from './rules/a.ts';\nimport type { S } from '../../kernel/service.ts';\n",
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
