// Installs the npm packages of the servers that tests start. npm test does this too; .ci/run does it first, in parallel with steps that
// leave a processor idle.
import { installTestServers } from './lib/run-tests.mjs';
import { main } from './lib/say.mjs';

await main(installTestServers);
