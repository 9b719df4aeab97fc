// npm run build: bundles the sources into dist/, whether they changed or not. With --clean, nothing of earlier
// builds stays (a jar that is running from them may then fail to load a part it has not needed so far).
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
