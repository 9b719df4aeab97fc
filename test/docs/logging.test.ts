import { expect, it } from 'vitest';
import { blocksOf, runTypeScript } from './examples.ts';

it('the example of docs/reference/logging.md finds the request that it has sent', async () => {
  const marked = (await blocksOf('docs/reference/logging.md')).filter(({ marked: isRun }) => isRun);
  expect(marked).toHaveLength(1);
  expect(await runTypeScript(marked[0]?.code ?? '')).toBe('GET /languages?api-version=3.0 200\n');
});
