import { simulate } from '../../../../kernel/engines/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { isList, isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Cluster, TerminationReason } from '../collections.ts';
import { scriptsOf } from '../init-scripts/kind.ts';
import { scriptText } from '../init-scripts/script.ts';
import type { NewEvent } from './save.ts';

const MOST_CHARACTERS = 4096;
/** Exit code for a command that the simulated shell does not know: it could do anything, so it is assumed to succeed. */
const NOT_FOUND = 127;

export interface InitScripts {
  readonly events: readonly NewEvent[];
  readonly failure?: TerminationReason;
}

/**
 * Simulates the init scripts at the start of a cluster. Global scripts run in the simulated shell, as far as it knows their commands; of
 * the cluster's own scripts only the location is known, so they succeed.
 */
export async function initScriptEvents(
  tx: Tx,
  jar: Pick<PlatformJar, 'clock'>,
  cluster: Cluster,
): Promise<InitScripts> {
  const global = (await scriptsOf(tx, cluster.workspaceId)).filter(({ fields }) => fields.enabled === true);
  const { init_scripts: sent } = cluster.attributes;
  const own = sent !== undefined && isList(sent) ? sent.filter(isObject) : [];
  if (global.length === 0 && own.length === 0) return { events: [] };
  const startedAt = jar.clock.now();
  const results: JsonMembers[] = [];
  let failure: TerminationReason | undefined;
  for (const { id, name, fields } of global) {
    const run = simulate({
      command: ['sh', '-c', scriptText(String(fields.script))],
      startedAt,
      environment: { DB_CLUSTER_ID: cluster.id, DB_CLUSTER_NAME: cluster.name, DB_IS_DRIVER: 'TRUE' },
      hostname: cluster.id,
      interactive: true,
    });
    const { end } = run;
    const code = end?.exitCode ?? 0;
    const hasFailed = code !== 0 && code !== NOT_FOUND;
    const status = failure ? 'SKIPPED' : hasFailed ? 'FAILED_EXECUTION' : 'SUCCEEDED';
    results.push({
      script_id: id,
      script_name: name ?? '',
      execution_details: {
        status,
        execution_duration_seconds: end ? Math.ceil((end.at - startedAt) / 1000) : 0,
        ...(hasFailed && {
          error_message: run
            .output(MOST_CHARACTERS)
            .map(({ text }) => text)
            .join(''),
        }),
      },
    });
    if (hasFailed && !failure) failure = refusal(name ?? id, code);
  }
  const details: JsonMembers = { init_scripts: { global: results, cluster: own as readonly JsonMembers[] } };
  return {
    events: [
      { type: 'INIT_SCRIPTS_STARTED', details },
      { type: 'INIT_SCRIPTS_FINISHED', details },
    ],
    ...(failure && { failure }),
  };
}

const refusal = (name: string, code: number): TerminationReason => ({
  code: 'GLOBAL_INIT_SCRIPT_FAILURE',
  type: 'CLIENT_ERROR',
  parameters: { databricks_error_message: `Global init script ${name} failed: Script exit status is ${code}.` },
});
