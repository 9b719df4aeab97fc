import { type AnyRouteCode, type FamilyShape, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import type { NeedName } from './access/needs.ts';
import type { Place } from './access/types.ts';

export interface DatasetsShape extends FamilyShape {
  /** Set once the caller is known to have a role in the workspace. */
  readonly facts: { place?: Place };
  readonly traits: { readonly needs?: NeedName };
}

/** One row of the table of operations. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly needs: NeedName;
  readonly accepts?: 'bytes';
  readonly safe?: boolean;
  readonly code: AnyRouteCode;
}

const ORGANIZATION = '/v1.0/myorg';
const GROUP = `${ORGANIZATION}/groups/{group}`;
/** Older URLs of the service, when workspaces were grouped in collections; the collection is ignored. */
const COLLECTION = '/v1.0/collections/{collection}/workspaces/{group}';

/** Only under `/v1.0/myorg`. */
export const organizationRoutes = (rows: readonly Operation[]): readonly Route[] =>
  rows.map((row) => routeFor(row, ORGANIZATION, ''));

/** In "My workspace" and in the workspace that the URL names. */
export const workspaceRoutes = (rows: readonly Operation[]): readonly Route[] =>
  rows.flatMap((row) => [
    routeFor(row, ORGANIZATION, ''),
    routeFor(row, GROUP, 'InGroup'),
    routeFor(row, COLLECTION, 'InCollection'),
  ]);

/** Only in a workspace that the URL names, not in "My workspace". */
export const groupRoutes = (rows: readonly Operation[]): readonly Route[] =>
  rows.map((row) => routeFor(row, GROUP, 'InGroup'));

function routeFor(row: Operation, prefix: string, suffix: string): Route {
  const { method, path, operation, summary, needs, accepts, safe, code } = row;
  const head = { method, path: prefix + path, operation: `Datasets_${operation}${suffix}`, summary };
  return routeOf({ ...head, traits: { needs }, ...(accepts && { accepts }), ...(safe && { safe }) }, code);
}
