// Installs the servers of the tests that npm has. npm test does it, too; .ci/run begins with it, beside steps that leave a processor idle.
import { installTestServers } from './lib/run-tests.mjs';
import { main } from './lib/say.mjs';

await main(installTestServers);
