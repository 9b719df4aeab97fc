import { describe, expect, test } from 'vitest';
import { anyOf, claimOf } from '../../../src/kernel/http/claims.ts';

const ALIASES = ['Microsoft'];
const topics = claimOf({ name: 'topics', mounts: ['/providers/Vendor.Topics', '/api/topics'] }, ALIASES);
const sign = claimOf({ name: 'sign', mounts: ['/common'], claims: ['/{tenant}/oauth2'] }, ALIASES);

describe('what a service may have a route for', () => {
  test.each([
    ['/api/topics', true],
    ['/API/Topics/one', true],
    ["/api/topics('one')", true],
    ['//api//topics/one', true],
    ['/%61pi/topics', true],
    ['/api%2F%2Ftopics', true],
    ['/api/topicsandmore', false],
    ['/other/api/topics', false],
    ['/api/%topics', false],
    ['/_jar/topics/settings', true],
    ['/providers/vendor.topics/things', true],
    ['/subscriptions/x//providers//microsoft.Topics', true],
    ['/subscriptions/x/providers/microsoft.TopicsAndMore', false],
    ['/subscriptions/x/providers/foreign.Topics', false],
  ])('%s: %s', (path, taken) => {
    expect(topics.takes(path)).toBe(taken);
    expect(anyOf([sign, topics]).takes(path)).toBe(taken);
  });

  test('several are asked at once', () => {
    const both = anyOf([topics, sign]);
    const paths = ['/common/x', '/one/oauth2/token', '/api/topics', '/one/oauth3'];
    expect(paths.map((path) => both.takes(path))).toEqual([true, true, true, false]);
  });
});

// Milliseconds; in quadratic time, slashes would take minutes.
test.each([
  ['slashes', '/'],
  ['encoded slashes', '%2F'],
  ['segments', '/a'],
  ['names of providers', '/providers'],
  ['providers that are none', '/providers/vendor.'],
])('a path of 200,000 %s is looked at once', { timeout: 20_000 }, (_what, unit) => {
  const path = unit.repeat(200_000);
  expect(anyOf([topics, sign]).takes(path)).toBe(false);
  expect(topics.takes(`/providers${path}!`)).toBe(false);
});
