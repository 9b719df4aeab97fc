import { describe, expect, it } from 'vitest';
import { decide } from '../../../../../src/services/platform/jobs/running/condition.ts';
import { readOutput } from '../../../../../src/services/platform/jobs/running/output.ts';
import { parametersOf } from '../../../../../src/services/platform/jobs/running/program.ts';
import { memberOf, referencesIn, resolve } from '../../../../../src/services/platform/jobs/running/references.ts';

describe('references', () => {
  const lookup = (name: string) => ({ 'job.id': 7, 'tasks.a.values.list': [1, 2], name: 'Ada' })[name];

  it('resolve to their values anywhere in the settings, and stay if they are unknown', () => {
    const value = {
      path: '/x/{{job.id}}',
      many: ['{{ name }}', '{{unknown.thing}}'],
      deep: { a: '{{tasks.a.values.list}}' },
    };
    expect(resolve(value, lookup)).toEqual({ path: '/x/7', many: ['Ada', '{{unknown.thing}}'], deep: { a: '[1,2]' } });
  });

  it('can be listed', () => {
    expect([...referencesIn({ a: '{{x.y}} and {{z}}', b: ['{{x.y}}'] })]).toEqual(['x.y', 'z']);
  });

  it('reach into an input by names that it has itself', () => {
    expect(memberOf({ a: { b: 3 } }, ['a', 'b'])).toBe(3);
    expect(memberOf({ a: 1 }, ['constructor'])).toBeUndefined();
  });
});

describe('conditions', () => {
  it.each([
    ['EQUAL_TO', '12.0', '12', false],
    ['NOT_EQUAL', '12.0', '12', true],
    ['GREATER_THAN', '12.0', '9', true],
    ['GREATER_THAN_OR_EQUAL', '12.0', '12', true],
    ['LESS_THAN', '-1', '0', true],
    ['LESS_THAN_OR_EQUAL', '1e3', '999', false],
  ] as const)('%s of %s and %s is %s', (op, left, right, expected) => {
    expect(decide(op, left, right)).toBe(expected);
  });

  it('say which side is no number', () => {
    expect(() => decide('LESS_THAN', 'many', '1')).toThrow(
      "'many' cannot be compared by LESS_THAN: it is not a number",
    );
  });
});

describe('the output of a program', () => {
  it('gives values and the result of a notebook, which are not in the log', () => {
    const text = 'one\n::cloudjar::value {"key":"rows","value":5}\ntwo\n::cloudjar::exit "done"\n';
    expect(readOutput(text)).toEqual({
      output: { log: 'one\ntwo\n', isTruncated: false, result: 'done' },
      values: { rows: 5 },
    });
  });

  it('is a log where a report cannot be read', () => {
    expect(readOutput('::cloudjar::value nonsense').values).toBeUndefined();
  });
});

describe('the parameters of a task', () => {
  it("are its own, then those of the call, then the job's, which win", () => {
    const own = { base_parameters: { a: '1', b: '1', c: '1' } };
    const call = { notebook_params: { b: '2', c: '2' } };
    const ofJob = [{ name: 'c', value: '3' }];
    expect(parametersOf('notebook_task', own, call, ofJob).named).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('in a list are those of the call, which replace its own', () => {
    expect(
      parametersOf('spark_python_task', { parameters: ['a', 'b'] }, { python_params: ['c'] }, []).positional,
    ).toEqual(['c']);
  });
});
