import { ApiError } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';
import { readSource } from '../../jobs/running/sources.ts';
import { childrenOf } from '../../tree/children.ts';
import { follow } from '../../tree/nodes.ts';
import { treeOfWorkspace, workspaceNames } from '../../workspace/places.ts';
import type { Update } from '../collections.ts';
import type { PipelineChange } from '../pipeline-change.ts';

/** One notebook or file of a pipeline. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

const MOST_SOURCES = 1000;
const MOST_CHARACTERS = 20 * 1024 * 1024;

/**
 * Reads the notebooks and files that the libraries of an update name in the workspace, as its identity. Returns a text with the reason if
 * one cannot be read. JARs and packages are not read.
 */
export async function readSources(change: PipelineChange, update: Update): Promise<readonly SourceText[] | string> {
  const paths: string[] = [];
  for (const library of listOf(update.config.libraries).map(membersOf)) {
    const found = await pathsOf(change, library);
    if (typeof found === 'string') return found;
    paths.push(...found);
  }
  if (paths.length > MOST_SOURCES) return `The pipeline has ${paths.length} sources, more than ${MOST_SOURCES}.`;
  const sources: SourceText[] = [];
  let characters = 0;
  for (const path of paths) {
    const source = await readSource(
      {
        tx: change.tx,
        jar: change.jar,
        run: { workspaceId: update.workspaceId, accountId: change.pipeline.accountId, runAs: update.runAs },
      },
      path,
    );
    if (typeof source === 'string') return source;
    const text = source.is === 'file' ? source.text : source.cells.map((cell) => cell.text).join('\n');
    characters += text.length;
    if (characters > MOST_CHARACTERS) return 'The sources of the pipeline are larger than an update may read.';
    sources.push({ path, text });
  }
  return sources;
}

const BELOW = '/**';

async function pathsOf(change: PipelineChange, library: JsonMembers): Promise<readonly string[] | string> {
  const { notebook, file, glob } = library;
  const named = textOf(membersOf(notebook ?? file).path);
  if (named !== undefined) return [named];
  const pattern = textOf(membersOf(glob).include);
  if (pattern === undefined) return [];
  if (!pattern.endsWith(BELOW)) return [pattern];
  const folder = pattern.slice(0, -BELOW.length);
  try {
    return await below(change, folder);
  } catch (error) {
    // An invalid path: settings may hold any text.
    if (!(error instanceof ApiError)) throw error;
    return `Unable to access the folder "${folder}". ${error.message}`;
  }
}

/** Notebooks and source files in a folder and its subfolders. */
async function below({ tx, pipeline }: PipelineChange, folder: string): Promise<readonly string[] | string> {
  const tree = treeOfWorkspace(pipeline.workspaceId);
  const names = workspaceNames(folder);
  const { nodes, missing } = await follow(tx, tree, names);
  const top = nodes.at(-1)?.inside;
  if (missing.length > 0 || top === undefined) return `Unable to access the folder "${folder}". It does not exist.`;
  const found: string[] = [];
  const open = [{ inside: top, path: folder }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { inside, path } = next;
    for (const child of await childrenOf(tx, tree, inside, names)) {
      const at = `${path}/${child.name}`;
      if (child.inside !== undefined) open.push({ inside: child.inside, path: at });
      else if (child.type === 'NOTEBOOK' || /\.(?:py|sql)$/.test(child.name)) found.push(at);
      if (found.length > MOST_SOURCES || open.length > MOST_SOURCES)
        return `The folder "${folder}" has more than ${MOST_SOURCES} sources.`;
    }
  }
  return found.toSorted();
}
