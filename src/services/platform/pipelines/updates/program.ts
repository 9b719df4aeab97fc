import { simulate } from '../../../../kernel/engines/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { machineMs } from '../../compute/timing.ts';
import { listOf, membersOf, textOf, textsOf } from '../../engine/json.ts';
import { lastLine } from '../../jobs/running/output.ts';
import { asEnvironment, directivesIn } from '../../jobs/running/program.ts';
import type { Flow, Update, UpdateProgram } from '../collections.ts';
import { datasetsIn, MOST_DATASETS } from '../datasets.ts';
import type { PipelineChange } from '../pipeline-change.ts';
import { readSources } from './sources.ts';

/** The member of `configuration` that holds a script for the simulated shell, for pipelines whose sources are not in the jar. */
const SCRIPT = 'cloudjar';

/** Maximum length of a script's output that is read: its last line is the message of a failure. */
const MOST_OUTPUT_CHARACTERS = 64 * 1024;
const LONGEST_PROBLEM = 4096;

/** Maximum number of scripts of one update: all of them run synchronously, which blocks the jar meanwhile. */
const MOST_SCRIPTS = 25;

export interface Program {
  /** The tables and views that the sources define. */
  readonly datasets: readonly string[];
  /** Runs the simulation of the sources from now on. */
  run(): UpdateProgram;
}

/** The sources of an update; returns a text with the reason if they cannot be read. */
export async function readProgram(change: PipelineChange, update: Update): Promise<Program | string> {
  const sources = await readSources(change, update);
  if (typeof sources === 'string') return sources;
  const script = textOf(membersOf(update.config.configuration)[SCRIPT]);
  const all: readonly Scripted[] = [
    ...sources.map(({ path, text }) => ({ path, script: directivesIn(text), datasets: datasetsIn(text) })),
    ...(script === undefined ? [] : [{ path: SCRIPT, script, datasets: [] }]),
  ];
  const { ingestion_definition: ingestion, gateway_definition: gateway, libraries } = update.config;
  if (all.length === 0 && ingestion === undefined && gateway === undefined && listOf(libraries).length === 0)
    return 'The pipeline has no source code: its settings name no libraries.';
  const scripts = all.filter((each) => each.script !== '').length;
  if (scripts > MOST_SCRIPTS) return `${scripts} sources of the pipeline have a script, more than ${MOST_SCRIPTS}.`;
  return {
    datasets: [...new Set(all.flatMap(({ datasets }) => datasets))].slice(0, MOST_DATASETS),
    run: () => runSources(change, update, all),
  };
}

/** A source and its simulated behaviour. */
interface Scripted {
  readonly path: string;
  /** For the simulated shell; empty if the source has no directives. */
  readonly script: string;
  readonly datasets: readonly string[];
}

/** Runs one source after another. The first source whose script fails ends the update, and only its flows have failed. */
function runSources(change: PipelineChange, update: Update, sources: readonly Scripted[]): UpdateProgram {
  const { refresh_selection: refreshed, full_refresh_selection: reset } = update.request;
  const chosen = new Set([...textsOf(refreshed), ...textsOf(reset)]);
  let at = change.now;
  let problem: string | undefined;
  let isEndless = false;
  let hasScript = false;
  const flows = new Map<string, Flow['outcome']>();
  for (const { script, path, datasets } of sources) {
    let outcome: Flow['outcome'] = problem === undefined && !isEndless ? 'COMPLETED' : 'EXCLUDED';
    if (script !== '' && outcome === 'COMPLETED') {
      hasScript = true;
      const ran = runScript(script, environmentOf(update), at);
      if (ran.problem !== undefined) {
        problem = `${path}: ${ran.problem}`.slice(0, LONGEST_PROBLEM);
        outcome = 'FAILED';
      }
      if (ran.endsAt === undefined) isEndless = true;
      else at = ran.endsAt;
    }
    for (const name of datasets)
      if (flows.size < MOST_DATASETS && (chosen.size === 0 || chosen.has(name))) flows.set(name, outcome);
  }
  const endsAt = hasScript ? at : change.now + machineMs(change.jar, 'updateRun');
  return {
    ...(!isEndless && { endsAt }),
    ...(problem !== undefined && { problem }),
    flows: [...flows].map(([name, outcome]) => ({ name, outcome })),
  };
}

interface Ran {
  readonly endsAt?: number;
  readonly problem?: string;
}

function runScript(script: string, environment: Readonly<Record<string, string>>, startedAt: number): Ran {
  const { end, refused, output } = simulate({
    command: ['sh', '-c', script],
    environment,
    hostname: 'pipeline',
    startedAt,
    // Otherwise a script that calls an unknown command would never end.
    interactive: true,
  });
  if (!end) return {};
  if (end.exitCode === 0) return { endsAt: end.at };
  const text = output(MOST_OUTPUT_CHARACTERS)
    .map((each) => each.text)
    .join('');
  const said = refused ?? lastLine(text);
  return { endsAt: end.at, problem: said === '' ? `The program ended with exit code ${end.exitCode}` : said };
}

const textMembers = (map: JsonMembers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(map).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/** The configuration and the parameters whose names are valid variables, and the identifiers of the update. */
const environmentOf = ({ config, request, id, pipelineId, workspaceId, attempt }: Update): Record<string, string> => ({
  ...asEnvironment(textMembers(membersOf(config.configuration))),
  ...asEnvironment(textMembers({ ...membersOf(config.parameters), ...membersOf(request.parameters) })),
  CLOUDJAR_UPDATE_ID: id,
  CLOUDJAR_PIPELINE_ID: pipelineId,
  CLOUDJAR_WORKSPACE_ID: workspaceId,
  CLOUDJAR_ATTEMPT: String(attempt),
  CLOUDJAR_FULL_REFRESH: String(request.full_refresh === true),
});
