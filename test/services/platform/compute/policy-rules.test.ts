import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPolicy, conformed } from '../../../../src/services/platform/compute/policies/apply.ts';
import { readDefinition } from '../../../../src/services/platform/compute/policies/definition.ts';
import { policyContext } from '../../../../src/services/platform/compute/policies/govern.ts';
import { Patterns } from '../../../../src/services/platform/compute/policies/matches.ts';
import { valuesAt, withoutValue, withValue } from '../../../../src/services/platform/compute/policies/paths.ts';

const path = fc.constantFrom(
  'num_workers',
  'cluster_name',
  'autoscale.max_workers',
  'spark_conf.spark.databricks.profile',
  'custom_tags.team',
  'init_scripts.0.workspace.destination',
  'azure_attributes.availability',
);
const scalar = fc.oneof(fc.integer({ min: -5, max: 20 }), fc.constantFrom('a', 'b', '7', ''), fc.boolean());
const attributes = fc.array(fc.tuple(path, scalar)).map((entries) => {
  let made = {};
  for (const [at, value] of entries) made = withValue(made, at, value);
  return made;
});
const rule = fc.oneof(
  fc.record({ type: fc.constant('fixed'), value: scalar }),
  fc.constant({ type: 'forbidden' }),
  fc.record({ type: fc.constant('allowlist'), values: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    type: fc.constant('range'),
    minValue: fc.integer({ min: 0, max: 3 }),
    maxValue: fc.integer({ min: 3, max: 9 }),
  }),
  fc.record({ type: fc.constant('unlimited'), defaultValue: scalar, isOptional: fc.boolean() }),
);
const definition = fc.dictionary(path, rule, { maxKeys: 4 }).map((rules) => readDefinition(JSON.stringify(rules)));

describe('rules of cluster policies', () => {
  it('a value put at a path is found there, and no longer after its removal', () => {
    fc.assert(
      fc.property(attributes, path, scalar, (before, at, value) => {
        const after = withValue(before, at, value);
        expect(valuesAt(after, at)).toEqual([{ path: at, value }]);
        expect(valuesAt(withoutValue(after, at), at)).toEqual([]);
      }),
    );
  });

  it('applying a policy is idempotent', () => {
    fc.assert(
      fc.property(definition, attributes, fc.boolean(), (rules, before, defaults) => {
        const once = applyPolicy(rules, { ...policyContext(before), patterns: new Patterns(), defaults });
        const twice = applyPolicy(rules, { ...policyContext(once.attributes), patterns: new Patterns(), defaults });
        expect(twice).toEqual(once);
      }),
    );
  });

  it('attributes changed to comply do comply', () => {
    fc.assert(
      fc.property(definition, attributes, (rules, before) => {
        const after = conformed(rules, { ...policyContext(before), patterns: new Patterns(), defaults: true });
        const { violations } = applyPolicy(rules, {
          ...policyContext(after),
          patterns: new Patterns(),
          defaults: false,
        });
        expect(violations).toEqual([]);
      }),
    );
  });

  it('a path with an asterisk applies to every element of a list', () => {
    const rules = readDefinition(
      '{"init_scripts.*.volumes.destination":{"type":"regex","pattern":"/Volumes/.*"},"init_scripts.*.dbfs.destination":{"type":"forbidden"}}',
    );
    const check = (init_scripts: object[]) =>
      applyPolicy(rules, {
        ...policyContext({ init_scripts: init_scripts as never }),
        patterns: new Patterns(),
        defaults: false,
      }).violations;
    expect(check([])).toEqual([]);
    expect(check([{ volumes: { destination: '/Volumes/a' } }])).toEqual([]);
    expect(check([{ volumes: { destination: '/Volumes/a' } }, { volumes: { destination: '/x' } }])).toHaveLength(1);
    expect(check([{ dbfs: { destination: 'dbfs:/x' } }])).toHaveLength(1);
  });

  it('the cost and the type of a cluster are limited by virtual paths', () => {
    const rules = readDefinition(
      '{"dbus_per_hour":{"type":"range","maxValue":3},"cluster_type":{"type":"fixed","value":"job"}}',
    );
    const of = (workers: number, type: 'job' | 'all-purpose') =>
      applyPolicy(rules, {
        ...policyContext({ node_type_id: 'Standard_DS3_v2', num_workers: workers }, type),
        patterns: new Patterns(),
        defaults: false,
      }).violations.map(({ path: at }) => at);
    expect(of(3, 'job')).toEqual([]);
    expect(of(4, 'job')).toEqual(['dbus_per_hour']);
    expect(of(1, 'all-purpose')).toEqual(['cluster_type']);
  });

  it('a pattern that takes too long does not match, and is not tried again on another cluster', () => {
    const patterns = new Patterns();
    expect(patterns.match('(a+)+b?', 'aaa')).toBe(true);
    expect(patterns.match('(a+)+b?', `${'a'.repeat(60)}c`)).toBe(false);
    expect(patterns.match('(a+)+b?', 'aaa')).toBe(false);
    expect(new Patterns().match('(a+)+b?', 'aaa')).toBe(true);
  });
});
