import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import type { Definition, PolicyRule } from './definition.ts';
import type { Patterns } from './matches.ts';
import { type Found, valuesAt, withoutValue, withValue } from './paths.ts';

/** The input of a policy check. */
export interface Applied {
  readonly attributes: JsonMembers;
  /** Values of virtual paths, which no attribute has. */
  virtual(attributes: JsonMembers): Readonly<Record<string, Json>>;
  /** Whether missing attributes get the policy's defaults. Fixed values are always added. */
  readonly defaults: boolean;
  /** Shared by all policy checks of one request. */
  readonly patterns: Patterns;
}

export interface Violation {
  readonly path: string;
  readonly message: string;
}

export interface PolicyOutcome {
  /** Including the values that the policy adds. */
  readonly attributes: JsonMembers;
  readonly violations: readonly Violation[];
}

/** Adds the policy's fixed values, and finds violations. */
export function applyPolicy(
  definition: Definition,
  { attributes, virtual, defaults, patterns }: Applied,
): PolicyOutcome {
  let completed = attributes;
  const derived = virtual(attributes);
  for (const [path, rule] of definition) {
    if (Object.hasOwn(derived, path) || valuesAt(completed, path).length > 0) continue;
    const added = rule.type === 'fixed' ? rule.value : defaults ? rule.defaultValue : undefined;
    if (added !== undefined) completed = withValue(completed, path, added);
  }
  const values = virtual(completed);
  const violations: Violation[] = [];
  for (const [path, rule] of definition) {
    const own = values[path];
    const found = own === undefined ? valuesAt(completed, path) : [{ path, value: own }];
    const message = problemOf(rule, path, found, patterns);
    if (message !== undefined) violations.push({ path, message });
  }
  return { attributes: completed, violations };
}

function problemOf(rule: PolicyRule, path: string, found: readonly Found[], patterns: Patterns): string | undefined {
  if (found.length === 0) {
    const isRequired = rule.type !== 'forbidden' && rule.type !== 'fixed' && rule.isOptional !== true;
    return isRequired && !path.includes('*') ? 'the value must be present' : undefined;
  }
  for (const { value } of found) {
    const wanted = wantedOf(rule, value, patterns);
    if (wanted !== undefined) return `the value must ${wanted} (is "${shown(value)}")`;
  }
  return undefined;
}

/** Describes the accepted values. Returns undefined if the rule accepts the value. */
function wantedOf(rule: PolicyRule, value: Json, patterns: Patterns): string | undefined {
  const { type, values = [], pattern = '', minValue, maxValue } = rule;
  const isListed = values.some((each) => same(each, value));
  switch (type) {
    case 'fixed':
      return same(rule.value as Json, value) ? undefined : `be ${shown(rule.value as Json)}`;
    case 'forbidden':
      return 'not be present';
    case 'allowlist':
      return isListed ? undefined : `be one of ${values.map(shown).join(', ')}`;
    case 'blocklist':
      return isListed ? `not be one of ${values.map(shown).join(', ')}` : undefined;
    case 'regex':
      return patterns.match(pattern, shown(value)) ? undefined : `match ${pattern}`;
    case 'range': {
      const number = typeof value === 'number' ? value : Number(value);
      if (Number.isNaN(number)) return 'be a number';
      if (minValue !== undefined && number < minValue) return `be greater than or equal to ${minValue}`;
      if (maxValue !== undefined && number > maxValue) return `be less than or equal to ${maxValue}`;
      return undefined;
    }
    case 'unlimited':
      return undefined;
  }
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `10` and `"10"` are equal, since configurations store numbers as texts. */
const same = (left: Json, right: Json): boolean => shown(left) === shown(right);

/** Changes the attributes as little as possible to comply with the policy; violations that cannot be repaired stay. */
export function conformed(definition: Definition, applied: Applied): JsonMembers {
  let { attributes } = applyPolicy(definition, { ...applied, defaults: true });
  for (const { path } of applyPolicy(definition, { ...applied, attributes }).violations) {
    const rule = definition.get(path) as PolicyRule;
    const repair = repairOf(rule);
    if (rule.type === 'forbidden') attributes = withoutValue(attributes, path);
    else if (repair !== undefined && applied.virtual(attributes)[path] === undefined)
      attributes = withValue(attributes, path, repair);
  }
  return attributes;
}

const repairOf = ({ value, defaultValue, values, type, minValue, maxValue }: PolicyRule): Json | undefined =>
  value ?? defaultValue ?? (type === 'allowlist' ? values?.[0] : type === 'range' ? (maxValue ?? minValue) : undefined);
