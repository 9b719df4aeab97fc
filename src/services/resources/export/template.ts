import { type Resource, type ResourceType, withPrefix } from '../../../kernel/arm/index.ts';
import type { ErrorDetail } from '../../../kernel/http/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { ComputedInput } from '../foreign/computed-properties.ts';
import type { ForeignType } from '../foreign/rows.ts';
import { exportErrors } from './errors.ts';
import { exportedIdentity, exportedProperties } from './exportable.ts';
import type { ExportOptions } from './options.ts';

export interface TemplateSource {
  /** Sorted: parents before their children. */
  readonly resources: readonly Resource[];
  readonly types: readonly ResourceType[];
  readonly jar: ComputedInput['jar'];
  readonly foreign: readonly ForeignType[];
  readonly options: ExportOptions;
  readonly prefix: string;
}

const SCHEMA = 'https://schema.management.vendor.example/schemas/2019-04-01/deploymentTemplate.json#';

export const EMPTY_TEMPLATE = {
  $schema: SCHEMA,
  contentVersion: '1.0.0.0',
  parameters: {},
  variables: {},
  resources: [],
};

/** The answer of an export: a template of the exportable resources, and an error that lists the rest. */
export function exportResources({ resources, ...source }: TemplateSource): JsonMembers {
  const parameters: Record<string, JsonMembers> = {};
  const entries: JsonMembers[] = [];
  const details: ErrorDetail[] = [];
  for (const resource of resources) {
    const properties = exportedProperties(resource, source);
    if (properties) entries.push(entryOf(resource, properties, source, parameters));
    else details.push(notExported(resource, source.prefix));
  }
  const template = { ...EMPTY_TEMPLATE, parameters, resources: entries };
  if (details.length === 0) return { template };
  const { code, message } = exportErrors.ExportTemplateCompletedWithErrors();
  return { template, error: { code, message, details: details.map((detail) => ({ ...detail })) } };
}

function entryOf(
  resource: Resource,
  properties: JsonMembers,
  { options, prefix, types }: Omit<TemplateSource, 'resources'>,
  parameters: Record<string, JsonMembers>,
): JsonMembers {
  const { id, type, location, tags, extra } = resource;
  const names = namesIn(id);
  const parameter = options.plainNames ? undefined : parameterOf(type, names[0] ?? '');
  if (parameter !== undefined)
    parameters[parameter] = {
      ...(options.includeParameterDefaultValue && { defaultValue: names[0] }),
      type: 'String',
    };
  const named = (depth: number): string[] => [
    parameter === undefined ? literal(names[0] ?? '') : `parameters('${parameter}')`,
    ...names.slice(1, depth).map(literal),
  ];
  const { identity, systemData: _shown, ...beside } = extra;
  return omitAbsent({
    ...(options.includeComments && { comments: `Generalized from resource: '${withPrefix(id, prefix)}'.` }),
    type: withPrefix(type, prefix),
    apiVersion: newestOf(type, types),
    name: options.plainNames ? names.join('/') : nameOf(named(names.length), names.slice(1)),
    location,
    tags: Object.keys(tags).length > 0 ? tags : undefined,
    dependsOn: names.length > 1 ? ancestorsOf(type, prefix, named) : undefined,
    ...beside,
    identity: exportedIdentity(identity),
    properties,
  });
}

/** `[parameters('…')]`, or `[concat(parameters('…'), '/name')]` for a child. */
const nameOf = ([first = '']: readonly string[], rest: readonly string[]): string =>
  rest.length === 0 ? `[${first}]` : `[concat(${first}, ${literal(`/${rest.join('/')}`)})]`;

/** `[resourceId('Vendor.X/a/b', name of a, name of b)]` for each ancestor, the nearest first. */
function ancestorsOf(type: string, prefix: string, named: (depth: number) => string[]): string[] {
  const segments = type.split('/');
  const depths = Array.from({ length: segments.length - 2 }, (_, at) => segments.length - 2 - at);
  return depths.map((depth) => {
    const ancestor = withPrefix(segments.slice(0, depth + 1).join('/'), prefix);
    return `[resourceId(${[literal(ancestor), ...named(depth)].join(', ')})]`;
  });
}

/** A string literal in a template expression. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `storageAccounts_mine_name`: a parameter per top-level resource; a child's name starts with its parent's. */
const parameterOf = (type: string, name: string): string =>
  `${type.split('/')[1] ?? ''}_${name.replace(/[^A-Za-z0-9]/g, '_')}_name`;

/** The resource names in an id, after the provider namespace. */
function namesIn(id: string): string[] {
  const segments = id.split('/');
  const provider = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  return segments.slice(provider + 2).filter((_, at) => at % 2 === 1);
}

function newestOf(type: string, types: readonly ResourceType[]): string {
  const versions = types.find((each) => each.type.toLowerCase() === type.toLowerCase())?.apiVersions ?? [];
  return versions.find((version) => !version.endsWith('-preview')) ?? versions[0] ?? '';
}

function notExported({ id, name, type }: Resource, prefix: string): ErrorDetail {
  const values = { name, type: withPrefix(type, prefix) };
  const { code, message } = exportErrors.ResourceTypeNotSupportedForExport(values);
  return { code, message, target: withPrefix(id, prefix) };
}
