import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { findModel, noSuchVersion, versionOf } from './find.ts';

/** Location of the files of a new version, derived from its source. */
export interface Source {
  readonly location: string;
  /** True for files of a run, which are copied before the version is ready. */
  readonly isCopied: boolean;
}

/** Artifacts of runs: named by the run, or by their location on the platform. */
const OF_RUNS = ['runs:/', 'dbfs:/databricks/mlflow-tracking/'];

const OF_REGISTRY = 'models:/';

export async function sourceOf(call: PlatformCall, source: string): Promise<Source> {
  if (!source.startsWith(OF_REGISTRY))
    return { location: source, isCopied: OF_RUNS.some((start) => source.startsWith(start)) };
  return { location: await locationOf(call, source.slice(OF_REGISTRY.length)), isCopied: false };
}

/** `<name>/<version>` or `<name>@<alias>` resolves to the files of a registered version. The id of a logged model is kept as it is. */
async function locationOf(call: PlatformCall, named: string): Promise<string> {
  const slash = named.lastIndexOf('/');
  const at = named.lastIndexOf('@');
  if (slash < 0 && at < 0) return `${OF_REGISTRY}${named}`;
  const split = Math.max(slash, at);
  const name = named.slice(0, split);
  const rest = named.slice(split + 1);
  const model = await findModel(call, name, 'CAN_READ');
  const number = at > slash ? model.aliases.find(({ alias }) => alias === rest)?.version : numberOf(rest);
  const version = number === undefined ? undefined : await versionOf(call.jar.store, model, number);
  if (!version) throw noSuchVersion(name, rest.slice(0, 300));
  return version.location;
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw errors.INVALID_PARAMETER_VALUE({ reason: `Model version must be an integer, got '${text.slice(0, 100)}'` });
}
