// npm run check: types, lint and format, and the layers of src/. All of them run, so that one run shows all there is.
import { join } from 'node:path';
import { checkLayers } from './lib/layers.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main, say } from './lib/say.mjs';
import { runTool } from './lib/tools.mjs';

await main(async () => {
  const node = await prepare();
  const failed = [];
  if ((await runTool(node, 'tsc', ['--noEmit', '-p', '.'])) !== 0) failed.push('types');
  const colors = process.stdout.isTTY ? [] : ['--colors=off'];
  if ((await runTool(node, 'biome', ['ci', '--error-on-warnings', ...colors])) !== 0) failed.push('lint and format');
  const { errors, warnings } = checkLayers(join(root, 'src'));
  for (const line of [...warnings, ...errors]) console.error(line);
  if (errors.length > 0) failed.push('layers');
  if (failed.length > 0) process.exitCode = 1;
  say(failed.length > 0 ? `check failed: ${failed.join(', ')}` : 'types, lint, format and layers are in order');
});
