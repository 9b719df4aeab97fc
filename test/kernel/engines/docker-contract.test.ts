import { engineContract } from './contract.ts';
import { closeJarAfterwards, openSharedBench } from './docker-bench.ts';

closeJarAfterwards();

engineContract('docker', (context) => openSharedBench(context), {
  missingImage: 'local/not-there:1',
  interactiveShell: true,
  sharedFiles: true,
  knowsCommands: true,
});
