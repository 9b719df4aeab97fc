import { engineContract } from './contract.ts';
import { closeJarAfterwards, openBench } from './docker-bench.ts';

closeJarAfterwards();

engineContract('docker', (context) => openBench(context), {
  missingImage: 'local/not-there:1',
  interactiveShell: true,
  sharedFiles: true,
  knowsCommands: true,
});
