// npm run build: bundles the sources into dist/, even if nothing changed. With --clean, all files of earlier builds are removed (a jar that
// runs from them may then fail to load a chunk that it has not needed so far).
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { main } from './lib/say.mjs';

await main(() =>
  withLock('set-up', async () => {
    await install('run');
    await build({ force: true, clean: process.argv.includes('--clean') });
  }),
);
