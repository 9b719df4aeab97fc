import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rollUp } from '../../scripts/lib/declarations.mjs';
import { tempTree } from './temp-tree.ts';

const ENTRY = `import type { Jar } from './types/jar.d.ts';

export type * from './types/clock.d.ts';
export type * from './types/jar.d.ts';

export function start(): Jar;
`;
const JAR = `import type { Clock } from './clock.d.ts';\n\nexport interface Jar {\n  clock: Clock;\n}\n`;

test('the declarations of an entry become one file, what is used before what uses it, each once', () => {
  const base = tempTree({
    'public.d.ts': ENTRY,
    'types/jar.d.ts': JAR,
    'types/clock.d.ts': 'export interface Clock {}\n',
  });
  expect(rollUp(join(base, 'public.d.ts'))).toBe(
    'export interface Clock {}\n\nexport interface Jar {\n  clock: Clock;\n}\n\nexport function start(): Jar;\n\nexport {};\n',
  );
});

test('a name that two files have is refused', () => {
  const base = tempTree({
    'public.d.ts': ENTRY,
    'types/jar.d.ts': JAR,
    'types/clock.d.ts': 'interface Jar {}\n\nexport interface Clock {}\n',
  });
  expect(() => rollUp(join(base, 'public.d.ts'))).toThrow('have the name Jar twice');
});
