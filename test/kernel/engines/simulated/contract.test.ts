import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { engineContract } from '../contract.ts';
import { openSimulatedBench } from './bench.ts';

const abilities = {
  missingImage: 'simulated/missing',
  interactiveShell: true,
  sharedFiles: true,
  knowsCommands: false,
};

engineContract('simulated, sqlite', () => openSimulatedBench(), abilities);

engineContract(
  'simulated, postgres',
  async (context) => openSimulatedBench({ databaseUrl: await usePostgresDatabase(context, 'simulated') }),
  abilities,
);
